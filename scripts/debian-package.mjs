// node scripts/debian-package.mjs <package> …: downloads Debian packages into <data dir>/packages/<package>, without
// root and without an installation. Also downloads the packages of shared libraries that the binaries need and this
// machine lacks. Exit code 3: the package is unavailable here (no apt, no such package, no network); the message
// contains the reason.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './build-stamp.mjs';

const UNAVAILABLE = 3;
const DOWNLOAD_MS = 120_000;
const BINARY_FOLDERS = ['usr/sbin', 'usr/bin', 'usr/local/bin'];
const LIBRARY_FOLDERS = ['usr/lib', 'lib'];
/** Packages whose binaries are in another package. */
const BINARIES_OF = { 'redis-server': ['redis-tools'], 'clickhouse-server': ['clickhouse-common'] };
const RECEIPT = 'package.json';

/** The package is unavailable on this machine; the message contains the reason and what to do. */
export class PackageUnavailable extends Error {
  name = 'PackageUnavailable';
}

/** Folder of the packages: in `LANDLORD_DATA_DIR`, else in `.landlord` of the checkout. */
export function packagesFolder(environment = process.env) {
  return resolve(ROOT, environment.LANDLORD_DATA_DIR || '.landlord', 'packages');
}

/**
 * Downloads a package unless it exists. Returns {folder, version, binaries, libraries, isNew}. Throws
 * PackageUnavailable.
 */
export function fetchPackage(name, folder = packagesFolder()) {
  const target = join(folder, name);
  if (existsSync(join(target, RECEIPT))) return { ...describe(target), isNew: false };
  const missing = ['apt-get', 'apt-cache', 'dpkg', 'dpkg-deb'].filter((tool) => run(tool, ['--version']).status !== 0);
  if (missing.length > 0) throw new PackageUnavailable(`This machine has no ${missing.join(', ')}: it is not Debian.`);
  mkdirSync(folder, { recursive: true });
  // In the same folder as the target, so that one rename completes it; a crash leaves nothing that looks complete.
  const work = mkdtempSync(join(folder, `.${name}-`));
  try {
    const version = unpack(name, work);
    for (const other of BINARIES_OF[name] ?? []) unpack(other, work);
    addLibraries(work);
    writeFileSync(join(work, RECEIPT), `${JSON.stringify({ package: name, version }, null, 2)}\n`);
    rmSync(target, { recursive: true, force: true });
    renameSync(work, target);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return { ...describe(target), isNew: true };
}

function describe(folder) {
  const { version } = JSON.parse(readFileSync(join(folder, RECEIPT), 'utf8'));
  return { folder, version, binaries: binariesIn(folder), libraries: libraryFolders(folder) };
}

/** Downloads one package and unpacks it; returns its version. */
function unpack(name, folder) {
  const downloads = mkdtempSync(join(tmpdir(), 'landlord-package-'));
  try {
    const { file, version } = downloadPackage(name, downloads);
    const unpacked = run('dpkg', ['-x', file, folder]);
    if (unpacked.status !== 0) throw new PackageUnavailable(`${name} cannot be unpacked: ${lastLine(unpacked.output)}`);
    return version;
  } finally {
    rmSync(downloads, { recursive: true, force: true });
  }
}

/** Downloads one package into an empty folder. apt checks its signature. Returns {file, version, architecture}. Throws PackageUnavailable. */
export function downloadPackage(name, folder) {
  const { status, error, output } = run('apt-get', ['download', name], { cwd: folder, timeout: DOWNLOAD_MS });
  const [entry] = readdirSync(folder).filter((one) => one.endsWith('.deb'));
  if (status !== 0 || !entry)
    throw new PackageUnavailable(`${name} cannot be downloaded: ${error ?? lastLine(output)}\n${HINT}`);
  const file = join(folder, entry);
  const field = (title) => run('dpkg-deb', ['-f', file, title]).output.trim();
  return { file, version: field('Version'), architecture: field('Architecture') };
}

const HINT = 'If the package is not known, "apt-get update" (as root) helps; if there is no network, nothing does.';

/** Adds packages for libraries that ldd does not find, until none is missing or no package has it. */
function addLibraries(folder) {
  const tried = new Set();
  for (let missing = missingLibraries(folder); missing.length > 0; missing = missingLibraries(folder)) {
    const next = packagesNamed(missing).filter((name) => !tried.has(name));
    if (next.length === 0) throw new PackageUnavailable(`No package brings the library ${missing.join(', ')}.`);
    for (const name of next) {
      tried.add(name);
      unpack(name, folder);
    }
  }
}

function missingLibraries(folder) {
  const env = { ...process.env, LD_LIBRARY_PATH: libraryFolders(folder).join(':') };
  const lines = binariesIn(folder).flatMap((binary) => run('ldd', [binary], { env }).output.split('\n'));
  return [...new Set(lines.filter((line) => line.includes('=> not found')).map((line) => line.trim().split(' ')[0]))];
}

/** Debian names a package like its library: libjemalloc.so.2 is in libjemalloc2, libdevmapper.so.1.02.1 in libdevmapper1.02.1. Returns the names that apt has. */
function packagesNamed(libraries) {
  const guesses = libraries.flatMap((library) => {
    const [, stem = '', major = ''] = /^(.+?)(?:-[\d.]+)?\.so(?:\.(\d+))?/.exec(library) ?? [];
    const [, exact = stem] = /^(.+)\.so/.exec(library) ?? [];
    const separator = /\d$/.test(exact) && major !== '' ? '-' : '';
    const [, release = major] = /\.so\.([\d.]+)$/.exec(library) ?? [];
    return [`${exact}${release}`, `${exact}${separator}${major}`, `${stem}${major}`, `${exact}${separator}${major}t64`];
  });
  const names = [...new Set(guesses.map((name) => name.toLowerCase().replaceAll('_', '-')))];
  return names.filter((name) => run('apt-cache', ['show', '--no-all-versions', name]).status === 0);
}

function binariesIn(folder) {
  return BINARY_FOLDERS.map((name) => join(folder, name))
    .filter((path) => existsSync(path))
    .flatMap((path) => readdirSync(path).map((name) => join(path, name)));
}

/** Folders below the package with shared libraries. */
function libraryFolders(folder) {
  const found = LIBRARY_FOLDERS.map((name) => join(folder, name))
    .filter((path) => existsSync(path))
    .flatMap((path) => readdirSync(path, { recursive: true, withFileTypes: true }))
    .filter((entry) => /\.so(\.|$)/.test(entry.name))
    .map((entry) => entry.parentPath);
  return [...new Set(found)];
}

function run(command, args, options = {}) {
  const env = { ...(options.env ?? process.env), LC_ALL: 'C' };
  const { status, error, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', ...options, env });
  return { status, error: error?.code, output: `${stdout ?? ''}${stderr ?? ''}` };
}

const lastLine = (text) =>
  text
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('W: '))
    .at(-1) ?? '';

function main(names) {
  if (names.length === 0) {
    console.error('Say which: node scripts/debian-package.mjs <package> …');
    process.exit(2);
  }
  for (const name of names) {
    const { folder, version, binaries, libraries, isNew } = fetchPackage(name);
    console.log(`${name} ${version} ${isNew ? 'is now' : 'lies already'} in ${folder}`);
    for (const binary of binaries) console.log(`  ${basename(binary)}: ${binary}`);
    if (libraries.length > 0) console.log(`  run them with LD_LIBRARY_PATH=${libraries.join(':')}`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    main(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof PackageUnavailable ? error.message : error);
    process.exit(error instanceof PackageUnavailable ? UNAVAILABLE : 1);
  }
}
