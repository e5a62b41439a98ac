// node scripts/iggy-for-tests.mjs: finds an unmodified iggy-server for the tests: IGGY_SERVER_BIN, otherwise the one of
// npm run broker:iggy. Unpacks the library that it needs. Prints lines for a shell that set or unset IGGY_SERVER_BIN and
// IGGY_CONNECTORS_BIN, and says on standard error why tests are skipped.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fetchPackage, packagesFolder, PackageUnavailable } from './debian-package.mjs';

/** Returns {settings} with the environment variables of the tests, or {missing} with the reason. */
export function iggyForTests(environment = process.env) {
  const ours = join(packagesFolder(environment), 'iggy', 'iggy-server');
  const server = environment.IGGY_SERVER_BIN || (existsSync(ours) ? ours : '');
  if (!server) return { missing: 'there is no iggy-server. Run "npm run broker:iggy", or set IGGY_SERVER_BIN.' };
  const { libraries, reason } = unpackedLibraries(environment);
  const env = { LD_LIBRARY_PATH: libraries.join(':') };
  const { status, error, stderr } = spawnSync(server, ['--version'], { encoding: 'utf8', env });
  if (status !== 0) return { missing: `${server} does not run: ${error?.code ?? stderr.trim()}. ${reason}`.trim() };
  const connectors = environment.IGGY_CONNECTORS_BIN || join(dirname(server), 'iggy-connectors');
  return { settings: { IGGY_SERVER_BIN: server, ...(existsSync(connectors) && { IGGY_CONNECTORS_BIN: connectors }) } };
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
    console.log('unset IGGY_SERVER_BIN IGGY_CONNECTORS_BIN');
    console.error(`The tests of Apache Iggy are skipped: ${missing}`);
  }
}
