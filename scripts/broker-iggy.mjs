// npm run broker:iggy [-- --image | --source <checkout>]: puts the unmodified iggy-server of Apache Iggy 0.8 into
// <data dir>/packages/iggy, with iggy-connectors if it can be had, without root and without an installation. --image
// takes the programs out of the official images by docker or podman, and is the default where one of these exists.
// --source builds them by cargo from a checkout of the tag. Exit code 3: the programs cannot be had here; the message
// contains the reason and what to do.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fetchPackage, packagesFolder, PackageUnavailable } from './debian-package.mjs';

const UNAVAILABLE = 3;
const SERVER_IMAGE = 'docker.io/apache/iggy:0.8.0';
const CONNECTORS_IMAGE = 'docker.io/apache/iggy-connect:0.4.0';
const TAG = /^server-0\.8\.\d+$/;
const RELEASE = /^(?:iggy-)?server (0\.8\.\d+)\s*$/;
const LIBRARY = 'libhwloc.so.15';
const PLUGINS = ['random_source', 'stdout_sink', 'http_sink'].map((name) => `iggy_connector_${name}`);
const LICENCE_FILES = ['LICENSE', 'NOTICE', 'DISCLAIMER', 'LICENSE-binary'];
/** What a build on Debian needs. The programs themselves need only the library of hwloc. */
const BUILD_PACKAGES =
  'autoconf automake libtool pkg-config cmake libhwloc-dev libudev-dev libssl-dev clang libclang-dev';

const WITHOUT = `This machine has neither docker nor podman, so iggy-server cannot be taken out of its official image.

Choose one:
  1. Install docker or podman, and run: npm run broker:iggy
  2. Build it from the sources, which takes 10 to 40 minutes:
       git clone --depth 1 --branch server-0.8.0 https://github.com/apache/iggy.git iggy
       npm run broker:iggy -- --source iggy
  3. Name an iggy-server 0.8 that you have: IGGY_SERVER_BIN=/path/of/iggy-server npm start`;

const LICENCE = `Apache Iggy (Incubating) is a project of the Apache Software Foundation under the Apache License 2.0. Landlord does
not contain or change it. If you give the programs to others, give its LICENSE and NOTICE with them.`;

/** The programs cannot be had here. The message contains the reason and what to do. */
class Unavailable extends Error {}

function main(args) {
  try {
    get(args);
  } catch (error) {
    if (!(error instanceof Unavailable || error instanceof PackageUnavailable)) throw error;
    console.error(error.message);
    process.exit(UNAVAILABLE);
  }
}

function get([way = '', checkout = '', ...rest]) {
  if (!['', '--image', '--source'].includes(way) || rest.length > 0 || (way === '--source') !== (checkout !== '')) {
    console.error('Say: npm run broker:iggy, or: npm run broker:iggy -- --image, or: … -- --source <checkout>');
    process.exit(2);
  }
  const target = join(packagesFolder(), 'iggy');
  const libraries = libraryFolders();
  if (existsSync(join(target, 'iggy-server'))) {
    console.log(`${requireServer(target, libraries)} lies already in ${target}. To get it again, delete this folder.`);
    return;
  }
  mkdirSync(packagesFolder(), { recursive: true });
  // In the same folder as the target, so that one rename completes it; a crash leaves nothing that looks complete.
  const work = mkdtempSync(join(packagesFolder(), '.iggy-'));
  try {
    if (way === '--source') build(resolve(checkout), work);
    else takeFromImages(work);
    const server = requireServer(work, libraries);
    rmSync(target, { recursive: true, force: true });
    renameSync(work, target);
    report(server, target);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function report(server, target) {
  const plugins = readdirSync(target).filter((name) => name.endsWith('.so'));
  console.log(`${server} is now in ${target}`);
  if (!existsSync(join(target, 'iggy-connectors')))
    console.log('  without iggy-connectors: no connectors on its nodes');
  else if (plugins.length === 0)
    console.log('  iggy-connectors has no plugins: put them (libiggy_connector_*.so) beside it');
  console.log(`  after the next npm start, new single nodes use it\n\n${LICENCE}`);
}

/** The folders of the unpacked library. Empty: the system has it. */
function libraryFolders() {
  // It is often not in the PATH of users other than root.
  const known = ['ldconfig', '/sbin/ldconfig'].map((name) => run(name, ['-p'])).find(({ status }) => status === 0);
  if (known?.output.includes(LIBRARY)) return [];
  console.log(`This system has no ${LIBRARY}, which iggy-server needs: the Debian package libhwloc15 brings it.`);
  try {
    const { libraries, folder } = fetchPackage('libhwloc15');
    console.log(`  unpacked in ${folder}`);
    return libraries;
  } catch (error) {
    if (!(error instanceof PackageUnavailable)) throw error;
    throw new Unavailable(`${error.message}\nInstall it instead. On Debian, as root: apt-get install libhwloc15`);
  }
}

/** Returns what the server says. The agents of nodes give it these libraries only. */
function requireServer(folder, libraries) {
  const env = libraries.length === 0 ? {} : { LD_LIBRARY_PATH: libraries.join(':') };
  const answer = run(join(folder, 'iggy-server'), ['--version'], { env });
  const [, release] = RELEASE.exec(answer.output) ?? [];
  if (release) return `iggy-server ${release}`;
  throw new Unavailable(`The iggy-server does not run here, or is no release 0.8: ${reasonOf(answer)}
A program of an image needs a C library that is at least as new. If yours is older, build it: npm run broker:iggy -- --source <checkout>`);
}

function takeFromImages(work) {
  const tool = ['docker', 'podman'].find((name) => run(name, ['--version']).status === 0);
  if (tool === undefined) throw new Unavailable(WITHOUT);
  console.log(`Taking iggy-server out of ${SERVER_IMAGE} by ${tool}. The image is downloaded once.`);
  const failure = takeFrom(tool, SERVER_IMAGE, { program: 'iggy-server', docs: '/usr/share/doc/iggy' }, work);
  if (failure) throw new Unavailable(`${SERVER_IMAGE}: ${failure}\nIs ${tool} running, and is there a network?`);
  const connectors = { program: 'iggy-connectors', docs: null };
  const without = takeFrom(tool, CONNECTORS_IMAGE, connectors, work);
  if (without) console.log(`iggy-connectors cannot be had: ${CONNECTORS_IMAGE}: ${without}`);
}

/** Copies a program and its licence files out of an image, which is not started. Returns the reason of a failure, or null. */
function takeFrom(tool, image, { program, docs }, work) {
  const created = run(tool, ['create', image]);
  if (created.status !== 0) return reasonOf(created);
  // The progress of the download is on standard error.
  const container = lastLine(created.stdout);
  try {
    const copied = run(tool, ['cp', `${container}:/usr/local/bin/${program}`, join(work, program)]);
    if (copied.status !== 0) return reasonOf(copied);
    for (const name of docs === null ? [] : LICENCE_FILES)
      run(tool, ['cp', `${container}:${docs}/${name}`, join(work, name)]);
    return null;
  } finally {
    run(tool, ['rm', container]);
  }
}

function build(checkout, work) {
  requireCheckout(checkout);
  console.log(`Building iggy-server, iggy-connectors and ${PLUGINS.length} plugins by cargo in ${checkout}.
This takes 10 to 40 minutes and about 5 GB of disk, and downloads the dependencies once.
Debian packages that the build needs: ${BUILD_PACKAGES}
`);
  const release = ['build', '--release', '--locked'];
  const crates = ['iggy-connectors', ...PLUGINS].flatMap((name) => ['-p', name]);
  cargo(checkout, [...release, '--no-default-features', '--features', 'mimalloc', '-p', 'server']);
  cargo(checkout, [...release, ...crates]);
  const built = join(resolve(checkout, process.env.CARGO_TARGET_DIR ?? 'target'), 'release');
  const names = ['iggy-server', 'iggy-connectors', ...PLUGINS.map((name) => `lib${name}.so`)];
  for (const path of names.map((name) => join(built, name))) copyFileSync(path, join(work, basename(path)));
  for (const name of LICENCE_FILES.filter((one) => existsSync(join(checkout, one))))
    copyFileSync(join(checkout, name), join(work, name));
}

/** The version of the server comes from git, and only unmodified sources of the tag are what Landlord is proven with. */
function requireCheckout(checkout) {
  const git = (...args) => run('git', ['-C', checkout, ...args]);
  const tags = git('tag', '--points-at', 'HEAD').output.split('\n');
  if (!tags.some((tag) => TAG.test(tag)))
    throw new Unavailable(`${checkout} is not a checkout of the tag server-0.8.0 of Apache Iggy. Get one:
  git clone --depth 1 --branch server-0.8.0 https://github.com/apache/iggy.git`);
  if (git('status', '--porcelain', '--untracked-files=no').output.trim() !== '')
    throw new Unavailable(`${checkout} has changes. Landlord runs unmodified releases only. Undo them: git stash`);
  if (run('cargo', ['--version']).status !== 0)
    throw new Unavailable('This machine has no cargo. Get Rust from https://rustup.rs, and run this again.');
}

function cargo(checkout, args) {
  console.log(`cargo ${args.join(' ')}`);
  const { status } = spawnSync('cargo', args, { cwd: checkout, stdio: 'inherit' });
  if (status !== 0) throw new Unavailable(`The build has failed (see above). Debian packages: ${BUILD_PACKAGES}`);
}

function run(command, args, options = {}) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', ...options });
  return { status, error: error?.code, stdout, output: `${stdout ?? ''}${stderr ?? ''}` };
}

const reasonOf = ({ status, error, output }) => lastLine(output) || (error ?? `exit code ${status}`);

const lastLine = (text) => text.trim().split('\n').at(-1) ?? '';

main(process.argv.slice(2));
