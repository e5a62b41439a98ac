import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { eventually } from '@libs/testing';
import { machineHost } from '../../../../scripts/machine-host.mjs';

const HOST = machineHost();
const ENV = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };

/** Whether this machine can start a host with systemd in a container. */
export const mayBootHosts =
  process.platform === 'linux' && process.getuid?.() === 0 && existsSync(HOST.root) && existsSync(HOST.nspawn);

/** The result of a program in the container. */
export interface Ran {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** A host with systemd as init, in a container with the network of this process, or of a network namespace. */
export class ContainerHost {
  private container: ChildProcess | null = null;
  private init = 0;

  private constructor(
    readonly root: string,
    readonly hostname: string,
    private readonly network: string | null,
  ) {}

  /** `network`: the path of a network namespace. */
  static async boot(network: string | null = null): Promise<ContainerHost> {
    const root = await mkdtemp(join(tmpdir(), 'landlord-host-'));
    expect(spawnSync('tar', ['-xf', HOST.root, '-C', root]).status).toBe(0);
    const host = new ContainerHost(root, `landlord-${root.slice(-6).toLowerCase()}`, network);
    try {
      // Otherwise the host gets the name of the machine that made the root file system.
      await host.put('etc/hostname', `${host.hostname}\n`, 0o644);
      await host.start();
      return host;
    } catch (error) {
      await host.destroy();
      throw error;
    }
  }

  async start(): Promise<void> {
    // The capability: systemd of the container must not manage the network of this machine.
    const options = ['--boot', '--register=no', '--keep-unit', '--drop-capability=CAP_NET_ADMIN', '--console=pipe'];
    if (this.network !== null) options.push(`--network-namespace-path=${this.network}`);
    this.container = spawn(HOST.nspawn, ['--quiet', '-D', this.root, `--machine=${this.hostname}`, ...options], {
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    const { pid = 0 } = this.container;
    await eventually(
      () => `the container runs; last: ${this.run('systemctl', 'list-jobs').stdout}`,
      async () => {
        // The first child of systemd-nspawn prepares the container and ends. The init is its second child.
        this.init = await childOf(pid);
        return ['running', 'degraded'].includes(this.run('systemctl', 'is-system-running').stdout.trim());
      },
      60_000,
    );
  }

  /** For a program that does not call this process. */
  run(program: string, ...args: string[]): Ran {
    const { status, stdout, stderr } = spawnSync('nsenter', this.inside(program, ...args), {
      encoding: 'utf8',
      env: ENV,
    });
    return { status, stdout, stderr };
  }

  /** For a program that calls a server of this process. */
  runAside(program: string, ...args: string[]): Promise<Ran> {
    return this.runWith('', program, ...args);
  }

  /** Like runAside, with a standard input. */
  async runWith(input: string, program: string, ...args: string[]): Promise<Ran> {
    const child = spawn('nsenter', this.inside(program, ...args), { env: ENV, stdio: 'pipe' });
    child.stdin.on('error', () => undefined).end(input);
    const [stdout, stderr, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    return { status, stdout, stderr };
  }

  private inside(program: string, ...args: string[]): string[] {
    return ['--target', String(this.init), '--all', program, ...args];
  }

  /** The properties of a unit. */
  show(unit: string, ...properties: string[]): Record<string, string> {
    const { stdout } = this.run('systemctl', 'show', `--property=${properties.join(',')}`, unit);
    const pairs = stdout.split('\n').filter(Boolean);
    return Object.fromEntries(
      pairs.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
  }

  async put(path: string, content: string | { file: string }, mode = 0o600): Promise<void> {
    const target = join(this.root, path);
    await mkdir(dirname(target), { recursive: true });
    if (typeof content === 'string') await writeFile(target, content, { mode });
    else await copyFile(content.file, target);
  }

  has(path: string): boolean {
    return existsSync(join(this.root, path));
  }

  read(path: string): Promise<string> {
    return readFile(join(this.root, path), 'utf8');
  }

  /** Like a power cut: all processes end at once. */
  async cutPower(): Promise<void> {
    if (this.container === null) return;
    const ended = once(this.container, 'exit');
    process.kill(this.init, 'SIGKILL');
    await ended;
    this.container = null;
  }

  async destroy(): Promise<void> {
    await this.cutPower();
    await rm(this.root, { recursive: true, force: true, maxRetries: 20 });
  }
}

/** Processes of this machine and its containers with the flag: their arguments and their user, by pid. */
export async function processesWith(flag: string): Promise<Map<number, { argv: string[]; uid: number }>> {
  const found = new Map<number, { argv: string[]; uid: number }>();
  for (const name of await readdir('/proc')) {
    const argv = /^\d+$/.test(name) ? await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '') : '';
    if (!argv.split('\0').includes(flag)) continue;
    const status = await readFile(`/proc/${name}/status`, 'utf8').catch(() => '');
    found.set(Number(name), { argv: argv.split('\0'), uid: Number(/^Uid:\t(\d+)/m.exec(status)?.[1]) });
  }
  return found;
}

async function childOf(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return Number(children.trim().split(' ')[0] ?? 0);
}
