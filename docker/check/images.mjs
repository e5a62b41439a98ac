import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fetchPackage, PackageUnavailable } from '../../scripts/debian-package.mjs';
import { ContainersUnavailable } from './podman.mjs';

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = join(import.meta.dirname, 'images');
const RELEASE = join(ROOT, 'scripts/release/release.mjs');
const SUITE = 'bookworm';
const DEADLINE_MS = 10 * 60_000;
const SERVICE_PACKAGES = ['haproxy', 'postgresql-15', 'redis-server'];
/** Debian creates a database when it installs PostgreSQL. The image must have none. */
const NO_DATABASE = `mkdir -p "$1/etc/postgresql-common"; echo 'create_main_cluster = false' >"$1/etc/postgresql-common/createcluster.conf"`;

/** Without a registry of images: the images that the Compose files name, under the same names. */
export class Images {
  /** @param place The folder of the root file systems, which stay for the next run. */
  constructor(podman, place) {
    this.podman = podman;
    this.place = place;
    mkdirSync(place, { recursive: true });
  }

  /** @throws ContainersUnavailable when packages cannot be downloaded, or a container cannot run. */
  async makeBases(services) {
    const context = this.#context('services', SERVICE_PACKAGES, (work) => {
      cpSync(join(SOURCES, 'postgres.sh'), join(work, 'postgres.sh'));
    });
    for (const target of ['postgres', 'redis', 'haproxy']) {
      const image = services.map((service) => service.image).find((name) => name.startsWith(`${target}:`));
      if (image !== undefined) await this.#build(image, 'services.Dockerfile', context, ['--target', target]);
    }
  }

  /** The image that `npm run release` makes of the last commit, as a user loads it. A container must run here. */
  loadLandlord(place) {
    const folder = join(place, 'release');
    runOrSkip(process.execPath, [RELEASE, '--only', 'image', '--to', folder], 'The image cannot be made');
    const [archive] = readdirSync(folder).filter((name) => name.endsWith('.image.tar'));
    const [, image] = /^Loaded image: (\S+)/m.exec(this.podman.run('load', '--input', join(folder, archive)));
    const { status, output } = this.podman.try('run', '--rm', image, 'node', '--version');
    if (status !== 0) throw new ContainersUnavailable(`Podman cannot run a container here: ${lastLine(output)}`);
  }

  async #build(image, file, context, more = []) {
    await this.podman.show(...BUILD, '--quiet', ...more, '--file', join(SOURCES, file), '--tag', image, context);
  }

  /** A folder with `root.tar` of these packages. An earlier run may have left it. */
  #context(name, packages, complete) {
    const hash = createHash('sha256')
      .update([SUITE, ...packages].join(' '))
      .digest('hex')
      .slice(0, 8);
    const folder = join(this.place, `${name}-${hash}`);
    if (existsSync(folder)) return folder;
    const work = mkdtempSync(join(this.place, '.unfinished-'));
    try {
      const options = ['--variant=minbase', '--mode=root', `--include=${packages.join(',')}`];
      const target = [SUITE, join(work, 'root.tar')];
      runOrSkip(mmdebstrap(), [...options, `--essential-hook=${NO_DATABASE}`, ...target], 'mmdebstrap failed');
      complete(work);
      renameSync(work, folder);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
    return folder;
  }
}

/** chroot, because a build needs no other isolation from this machine. docker: the format has health checks. */
const BUILD = ['build', '--isolation', 'chroot', '--format', 'docker', '--pull=never'];

function mmdebstrap() {
  try {
    return join(fetchPackage('mmdebstrap').folder, 'usr/bin/mmdebstrap');
  } catch (error) {
    if (!(error instanceof PackageUnavailable)) throw error;
    throw new ContainersUnavailable(error.message);
  }
}

function runOrSkip(program, args, problem) {
  console.log(`${program} ${args.join(' ')}`);
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: DEADLINE_MS });
  if (status !== 0) throw new ContainersUnavailable(`${problem}: ${lastLine(`${stdout}\n${stderr}`)}`);
}

const lastLine = (text) => text.trim().split('\n').at(-1);
