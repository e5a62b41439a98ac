import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ContainersUnavailable } from './podman.mjs';

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = join(import.meta.dirname, 'images');
const SUITE = 'bookworm';
const DEADLINE_MS = 10 * 60_000;
const NODE_PACKAGES = ['ca-certificates', 'libatomic1', 'libstdc++6', 'passwd'];
const SERVICE_PACKAGES = ['haproxy', 'postgresql-15', 'redis-server'];
/** Debian creates a database when it installs PostgreSQL. The image must have none. */
const NO_DATABASE = `mkdir -p "$1/etc/postgresql-common"; echo 'create_main_cluster = false' >"$1/etc/postgresql-common/createcluster.conf"`;

/** Without a registry of images: the images that the Dockerfile and the Compose files name, under the same names. */
export class Images {
  /** @param place The folder of the root file systems, which stay for the next run. */
  constructor(podman, place) {
    this.podman = podman;
    this.place = place;
    mkdirSync(place, { recursive: true });
  }

  /** @throws ContainersUnavailable when packages cannot be downloaded, or a container cannot run. */
  async makeBases(services) {
    const [, base] = /^FROM (\S+)/m.exec(readFileSync(join(ROOT, 'docker/Dockerfile'), 'utf8'));
    await this.#build(base, 'node.Dockerfile', this.#nodeContext(base));
    const { status, output } = this.podman.try('run', '--rm', base, 'node', '--version');
    if (status !== 0) throw new ContainersUnavailable(`Podman cannot run a container here: ${lastLine(output)}`);
    const context = this.#context('services', SERVICE_PACKAGES, (work) => {
      cpSync(join(SOURCES, 'postgres.sh'), join(work, 'postgres.sh'));
    });
    for (const target of ['postgres', 'redis', 'haproxy']) {
      const image = services.map((service) => service.image).find((name) => name.startsWith(`${target}:`));
      await this.#build(image, 'services.Dockerfile', context, ['--target', target]);
    }
  }

  /** The image of docker/Dockerfile, unchanged. Its steps see the network and the npm settings of this user. */
  async makeLandlord(image) {
    const settings = join(homedir(), '.npmrc');
    const volumes = existsSync(settings) ? ['--volume', `${settings}:/root/.npmrc:ro`] : [];
    const ignored = ['--ignorefile', join(ROOT, 'docker/Dockerfile.dockerignore')];
    const file = ['--file', join(ROOT, 'docker/Dockerfile'), '--tag', image];
    await this.podman.show(...BUILD, ...this.#authorities(), ...volumes, ...ignored, ...file, ROOT);
  }

  /** The authorities that this user adds to those of Node.js, for an own registry of packages. */
  #authorities() {
    const file = process.env.NODE_EXTRA_CA_CERTS;
    return file ? ['--volume', `${file}:/etc/ssl/certs/ca-certificates.crt:ro`] : [];
  }

  async #build(image, file, context, more = []) {
    await this.podman.show(...BUILD, '--quiet', ...more, '--file', join(SOURCES, file), '--tag', image, context);
  }

  #nodeContext(base) {
    const [, release] = /^node:(\d+)/.exec(base);
    return this.#context(`node-${release}`, NODE_PACKAGES, (work) => {
      const packages = join(work, 'packages');
      const npm = ['install', '--prefix', packages, '--no-audit', '--no-fund', `node@${release}`, 'npm@10'];
      runOrSkip('npm', npm, 'npm cannot install Node.js');
      const modules = join(packages, 'node_modules');
      mkdirSync(join(work, 'node/bin'), { recursive: true });
      cpSync(join(modules, 'node/bin/node'), join(work, 'node/bin/node'), { dereference: true });
      cpSync(join(modules, 'npm'), join(work, 'node/lib/node_modules/npm'), { recursive: true });
      // So that npm trusts the authorities of the system, which makeLandlord() replaces by those of this machine.
      mkdirSync(join(work, 'node/etc'));
      writeFileSync(join(work, 'node/etc/npmrc'), 'cafile=/etc/ssl/certs/ca-certificates.crt\n');
      for (const name of ['npm', 'npx'])
        symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(work, 'node/bin', name));
      rmSync(packages, { recursive: true });
    });
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
      runOrSkip('mmdebstrap', [...options, `--essential-hook=${NO_DATABASE}`, ...target], 'mmdebstrap failed');
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

function runOrSkip(program, args, problem) {
  console.log(`${program} ${args.join(' ')}`);
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: DEADLINE_MS });
  if (status !== 0) throw new ContainersUnavailable(`${problem}: ${lastLine(`${stdout}\n${stderr}`)}`);
}

const lastLine = (text) => text.trim().split('\n').at(-1);
