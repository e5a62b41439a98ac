// node scripts/iggy-for-tests.mjs: finds an unmodified iggy-server for the tests: IGGY_SERVER_BIN, otherwise the one
// that lies beside this checkout, otherwise the one of npm run broker:iggy. Unpacks the library that it needs. Also finds a
// pre-release for the tests of unproven releases: IGGY_UNPROVEN_BIN, otherwise the one beside this checkout. Prints lines for
// a shell that set or unset these variables and IGGY_CONNECTORS_BIN, and says on standard error why tests are skipped.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './build-stamp.mjs';
import { fetchPackage, packagesFolder, PackageUnavailable } from './debian-package.mjs';

/** The programs are too large for the project, and too slow to build for a run of the tests. */
const BESIDE = '../shared/bin/iggy-0.8.0';
const UNPROVEN_BESIDE = '../shared/bin/iggy-0.9.0-edge.5/iggy-server';

/** Returns {settings} with the environment variables of the tests, or {missing} with the reason. */
export function iggyForTests(environment = process.env) {
  const folders = [resolve(ROOT, BESIDE), join(packagesFolder(environment), 'iggy')];
  const found = folders.map((folder) => join(folder, 'iggy-server')).find((file) => existsSync(file));
  const server = environment.IGGY_SERVER_BIN || found;
  if (!server) return { missing: 'there is no iggy-server. Run "npm run broker:iggy", or set IGGY_SERVER_BIN.' };
  const { libraries, reason } = unpackedLibraries(environment);
  const env = { LD_LIBRARY_PATH: libraries.join(':') };
  const { status, error, stderr } = spawnSync(server, ['--version'], { encoding: 'utf8', env });
  if (status !== 0) return { missing: `${server} does not run: ${error?.code ?? stderr.trim()}. ${reason}`.trim() };
  const connectors = environment.IGGY_CONNECTORS_BIN || join(dirname(server), 'iggy-connectors');
  const unproven = environment.IGGY_UNPROVEN_BIN || resolve(ROOT, UNPROVEN_BESIDE);
  const settings = {
    IGGY_SERVER_BIN: server,
    ...(existsSync(connectors) && { IGGY_CONNECTORS_BIN: connectors }),
    ...(existsSync(unproven) && { IGGY_UNPROVEN_BIN: unproven }),
  };
  return { settings };
}

/** Without the package the system may have the library. */
function unpackedLibraries(environment) {
  try {
    return { libraries: fetchPackage('libhwloc15', packagesFolder(environment)).libraries, reason: '' };
  } catch (error) {
    if (!(error instanceof PackageUnavailable)) throw error;
    return { libraries: [], reason: error.message };
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { settings = {}, missing } = iggyForTests();
  for (const [name, path] of Object.entries(settings))
    console.log(`export ${name}='${path.replaceAll("'", String.raw`'\''`)}'`);
  if (missing) {
    console.log('unset IGGY_SERVER_BIN IGGY_CONNECTORS_BIN IGGY_UNPROVEN_BIN');
    console.error(`The tests of Apache Iggy are skipped: ${missing}`);
  }
}
