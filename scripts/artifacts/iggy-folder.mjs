// The artifact of iggy from a folder with its programs, such as the one of npm run broker:iggy. Nothing is downloaded.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fetchPackage, packagesFolder } from '../debian-package.mjs';
import { ArtifactRefused } from './archives.mjs';

const SERVER = 'iggy-server';
/** The machine agent looks for this program and this folder beside the server (libs/host/src/machine/programs). */
const CONNECTORS = 'iggy-connectors';
const LIBRARIES = 'libraries';
const PLUGIN = /^libiggy_connector_[a-z0-9_]+\.so$/;
const LICENCES = ['LICENSE', 'LICENSE-binary', 'NOTICE', 'DISCLAIMER'];
/** Brings libhwloc.so.15, which the programs need and a host may lack. */
const PACKAGE = 'libhwloc15';
/** The name by which a program asks for a library. Other names in the package are the same file. */
const SONAME = /\.so\.\d+$/;
const RELEASE = /server (\d+\.\d+\.\d+\S*)\s*$/;
/** Fields e_machine of ELF. */
const PROCESSORS = { 62: 'x64', 183: 'arm64' };

/**
 * The artifact of the programs in `folder`, with `files`: `from`, an absolute path, `to`, the place in the artifact, and `mode`.
 * Throws ArtifactRefused.
 */
export function describeIggyFolder(folder, environment = process.env) {
  const server = join(folder, SERVER);
  if (!existsSync(server)) throw new ArtifactRefused(`${folder}: the folder does not contain ${SERVER}.`);
  const hwloc = hwlocFiles(environment);
  const description = { name: 'iggy', platform: 'linux', arch: processorOf(server), entry: SERVER, over: null };
  const names = readdirSync(folder).sort();
  const programs = names.filter((name) => name === SERVER || name === CONNECTORS);
  const others = names.filter((name) => PLUGIN.test(name) || LICENCES.includes(name));
  const files = [
    ...programs.map((name) => ({ from: join(folder, name), to: name, mode: 0o755 })),
    ...others.map((name) => ({ from: join(folder, name), to: name, mode: 0o644 })),
    ...hwloc.map((from) => ({ from, to: `${LIBRARIES}/${basename(from)}`, mode: 0o644 })),
  ];
  return { ...description, version: versionOf(server, environment), files };
}

function processorOf(server) {
  const head = Buffer.alloc(20);
  const file = openSync(server, 'r');
  try {
    readSync(file, head);
  } finally {
    closeSync(file);
  }
  const isElf = head.toString('latin1', 1, 4) === 'ELF';
  const processor = isElf ? PROCESSORS[head.readUInt16LE(18)] : undefined;
  if (processor === undefined) throw new ArtifactRefused(`${server} is not a program for Linux on x64 or arm64.`);
  return processor;
}

function versionOf(server, environment) {
  const env = { LD_LIBRARY_PATH: libraryFolders(environment).join(':') };
  const { status, error, stdout, stderr } = spawnSync(server, ['--version'], { encoding: 'utf8', env });
  const [, version] = RELEASE.exec(stdout ?? '') ?? [];
  if (status === 0 && version !== undefined) return version;
  throw new ArtifactRefused(
    `${server} does not run here: ${error?.code ?? (stderr.trim() || `exit code ${status}`)}. Use a host that runs it, or give an archive that ends with .tar.gz.`,
  );
}

function hwlocFiles(environment) {
  const files = libraryFolders(environment).flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  const notice = join(packagesFolder(environment), PACKAGE, 'usr/share/doc', PACKAGE, 'copyright');
  const libraries = files.filter((path) => SONAME.test(path)).sort();
  return libraries.length > 0 && existsSync(notice) ? [...libraries, notice] : libraries;
}

/** Empty without the unpacked package: the hosts then need a package of their own. */
function libraryFolders(environment) {
  const packages = packagesFolder(environment);
  return existsSync(join(packages, PACKAGE, 'package.json')) ? fetchPackage(PACKAGE, packages).libraries : [];
}
