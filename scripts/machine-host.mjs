// npm run machine:host (as root): downloads the root file system of a small Debian with systemd, and the programs that
// start it in a container, for the proofs of machines with systemd. Nothing is installed on this machine. Exit code 3:
// it is unavailable here (no root, no apt, no network); the message contains the reason.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fetchPackage, packagesFolder, PackageUnavailable } from './debian-package.mjs';

const UNAVAILABLE = 3;
const DEADLINE_MS = 10 * 60_000;
/** What a host needs to become a machine. */
const PACKAGES = ['systemd', 'systemd-sysv', 'curl', 'ca-certificates', 'libstdc++6', 'passwd', 'gzip'];
const SUITE = 'bookworm';

/** Paths of the root file system and of systemd-nspawn. The files exist after `npm run machine:host`. */
export function machineHost(folder = packagesFolder()) {
  return {
    root: join(folder, 'machine-host', 'root.tar'),
    nspawn: join(folder, 'systemd-container', 'usr/bin/systemd-nspawn'),
  };
}

function fetchMachineHost() {
  if (process.getuid?.() !== 0) throw new PackageUnavailable('Only root can build a root file system. Run as root.');
  const { root, nspawn } = machineHost();
  fetchPackage('systemd-container');
  const { folder } = fetchPackage('mmdebstrap');
  if (existsSync(root)) return { root, nspawn };
  const place = join(packagesFolder(), 'machine-host');
  mkdirSync(place, { recursive: true });
  const work = join(place, 'unfinished.tar');
  const options = ['--variant=minbase', '--mode=root', `--include=${PACKAGES.join(',')}`, SUITE, work];
  const { status } = spawnSync(join(folder, 'usr/bin/mmdebstrap'), options, { stdio: 'inherit', timeout: DEADLINE_MS });
  if (status !== 0) {
    rmSync(work, { force: true });
    throw new PackageUnavailable('mmdebstrap failed. It needs apt and the network of the packages.');
  }
  renameSync(work, root);
  return { root, nspawn };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    const { root, nspawn } = fetchMachineHost();
    console.log(`The root file system is ${root}. ${nspawn} starts it.`);
  } catch (error) {
    if (!(error instanceof PackageUnavailable)) throw error;
    console.error(error.message);
    process.exit(UNAVAILABLE);
  }
}
