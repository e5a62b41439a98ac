import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually, freePorts, nextPortRange, skippedSuite } from '@libs/testing';
import { ContainersUnavailable, findPodman, Podman } from '../../../docker/check/podman.mjs';
import { packagesFolder } from '../../../scripts/debian-package.mjs';
import { commitOf } from '../../compat/previous-release.mjs';
import { madeOnce, makeRelease } from './release.fixture.js';

const run = promisify(execFile);
/** A node uses up to five of them. */
const NODE_PORTS = 12;
const STOP_SECONDS = 30;

/** Images and containers of this test file alone. */
export class Containers {
  private constructor(
    readonly podman: Podman,
    readonly place: string,
    /** The images of the commits, in their order. */
    readonly images: string[],
  ) {}

  /** Loads the images of these commits. @throws ContainersUnavailable */
  static async open(...commits: string[]): Promise<Containers> {
    const parts = findPodman();
    const place = mkdtempSync(join(tmpdir(), 'landlord-containers-'));
    const podman = new Podman(place, parts);
    try {
      const images: string[] = [];
      for (const commit of commits) images.push(await load(podman, commit));
      const { status, output } = podman.try('run', '--rm', '--network', 'none', images[0] ?? '', 'node', '--version');
      if (status !== 0) throw new ContainersUnavailable(`podman cannot run a container: ${output.trim()}`);
      return new Containers(podman, place, images);
    } catch (error) {
      await removeStorage(podman, place);
      throw error;
    }
  }

  /** The image of the first commit. */
  get image(): string {
    return this.images[0] ?? '';
  }

  /** A container with everything, as the guide starts it, on ports of this test. */
  async start(name: string, ...options: string[]): Promise<AllInOne> {
    const [main = 0, supervisor = 0, gateway = 0] = await freePorts(3);
    const first = Number(nextPortRange().split('-')[0]);
    const ports = { main, supervisor, gateway, nodes: [first, first + NODE_PORTS - 1] as [number, number] };
    return this.startOn(ports, name, this.image, ...options);
  }

  /** The container of an image, on given ports and with the volume of an earlier container of this name. */
  startOn(ports: Ports, name: string, image: string, ...options: string[]): AllInOne {
    const { main, supervisor, gateway, nodes } = ports;
    const settings = {
      ...{ MAIN_API_PORT: main, SUPERVISOR_PORT: supervisor, GATEWAY_PORT: gateway },
      LOCAL_PORT_RANGE: nodes.join('-'),
    };
    const published = [main, supervisor, nodes.join('-')].flatMap((one) => ['-p', `127.0.0.1:${one}:${one}`]);
    const set = Object.entries(settings).flatMap(([key, value]) => ['-e', `${key}=${value}`]);
    const safe = ['--read-only', '--read-only-tmpfs=false', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
    const all = ['--name', name, '-v', `${name}:/data`, ...safe, ...published, ...set, ...options];
    this.podman.run('run', '--detach', '--stop-timeout', String(STOP_SECONDS), ...all, image);
    return new AllInOne(this.podman, name, ports);
  }

  async close(): Promise<void> {
    await removeStorage(this.podman, this.place);
  }
}

interface Ports {
  main: number;
  supervisor: number;
  gateway: number;
  nodes: [number, number];
}

/** A container that runs everything. */
export class AllInOne {
  constructor(
    private readonly podman: Podman,
    readonly name: string,
    readonly ports: Ports,
  ) {}

  get output(): string {
    return this.podman.try('logs', this.name).output;
  }

  get state(): { Running: boolean; ExitCode: number } {
    return JSON.parse(this.podman.run('inspect', '--format', '{{json .State}}', this.name));
  }

  /** `times`: how many starts the log must have. */
  async isReady(times = 1): Promise<void> {
    await eventually(
      () => `Landlord starts: ${this.output}`,
      () => this.output.split('Press Ctrl-C').length > times || !this.state.Running,
    );
    expect([this.output, this.state.Running]).toEqual([expect.stringContaining('Press Ctrl-C'), true]);
  }

  /** The output of a command inside. */
  exec(...words: string[]): string {
    return this.podman.run('exec', this.name, ...words);
  }

  /** The status of a command inside. */
  status(...words: string[]): number | null {
    return this.podman.try('exec', this.name, ...words).status;
  }

  stop(): void {
    this.podman.run('stop', this.name);
  }

  startAgain(): void {
    this.podman.run('start', this.name);
  }
}

/** The id of the image: two commits can have one version. */
async function load(podman: Podman, commit: string): Promise<string> {
  const folder = await madeOnce(commit, 'image', (clone) => makeRelease(clone, { only: 'image' }));
  const [archive = ''] = readdirSync(folder).filter((name) => name.endsWith('.image.tar'));
  const loaded = podman.run('load', '--input', join(folder, archive));
  const [, name = ''] = /^Loaded image: (\S+)/m.exec(loaded) ?? [];
  return podman.run('image', 'inspect', '--format', '{{.Id}}', name);
}

async function removeStorage(podman: Podman, place: string): Promise<void> {
  podman.try('rm', '--all', '--force', '--volumes', '--time', '0');
  podman.try('system', 'reset', '--force');
  for (const mounted of ['images/overlay', 'images'].map((name) => join(place, name)).filter(existsSync))
    await run('umount', [mounted]).catch(() => undefined);
  rmSync(place, { recursive: true, force: true });
}

const commit = commitOf('HEAD');

/** A suite about the image of the last commit. */
export const describeImage = (): ReturnType<typeof describeContainers> =>
  commit === null
    ? skip('git has no commit, and a release names its commit', 'Run them in a clone')
    : describeContainers(commit);

/** A suite about the images of these commits. */
export async function describeContainers(
  ...commits: string[]
): Promise<(name: string, tests: (containers: Containers) => void) => void> {
  try {
    const containers = await Containers.open(...commits);
    return (name, tests) =>
      describe(name, () => {
        tests(containers);
        // After the hooks of the tests, which remove their containers.
        afterAll(() => containers.close());
      });
  } catch (error) {
    if (!(error instanceof ContainersUnavailable)) throw error;
    return skip(`containers cannot run here (${error.message})`, `The packages of podman are in ${packagesFolder()}`);
  }
}

async function skip(missing: string, remedy: string): ReturnType<typeof describeContainers> {
  const suite = skippedSuite(missing, remedy);
  return (name) => suite(name, () => undefined);
}
