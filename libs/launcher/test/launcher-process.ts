import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stopDatabase } from '../src/embedded-postgres/ensure-database.js';
import { findApps, findNodeProcesses } from '../src/processes/installation-processes.js';
import { findMachineAgents } from '../src/processes/machine-agent.js';
import { isAlive, until } from '@libs/host/os';
import type { CompiledLauncher } from './compiled-launcher.js';
import { fakeApp, fakeMachineAgent, fakeNodeProcess } from './fake-app.js';

/** A data directory with free ports, and the launchers that a spec starts on it. */
export class LauncherBench {
  readonly dataDir = join(mkdtempSync(join(tmpdir(), 'landlord-start-')), 'data');
  private readonly started: ChildProcess[] = [];

  private constructor(
    private readonly build: CompiledLauncher,
    readonly ports: { main: number; supervisor: number; gateway: number },
  ) {
    mkdirSync(this.dataDir, { mode: 0o700 });
    addFakeApps(build);
  }

  static async open(build: CompiledLauncher): Promise<LauncherBench> {
    const [main = 0, supervisor = 0, gateway = 0] = await freePorts(3);
    return new LauncherBench(build, { main, supervisor, gateway });
  }

  /** Runs `landlord <verb>` with this data directory and these ports. `build`: another build, as of another release. */
  launch(verb = 'start', environment: Record<string, string> = {}, build = this.build): LauncherProcess {
    const child = spawn(process.execPath, [join(build.src, 'main.js'), verb], {
      env: {
        LANDLORD_DATA_DIR: this.dataDir,
        MAIN_API_PORT: String(this.ports.main),
        SUPERVISOR_PORT: String(this.ports.supervisor),
        GATEWAY_PORT: String(this.ports.gateway),
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.started.push(child);
    return new LauncherProcess(child);
  }

  /** Starts a process of a node of this installation, like the Supervisor: in its own session. */
  async spawnNodeProcess(role: 'agent.main' | 'broker'): Promise<number> {
    const script = join(this.build.dist, `${role}.js`);
    writeFileSync(script, fakeNodeProcess(role));
    const child = spawn(
      process.execPath,
      [script, this.path('story.txt'), `--landlord-node=${this.installation()}/7`],
      { detached: true, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(child.stdout, 'data');
    return child.pid ?? 0;
  }

  /** Makes the data directory a machine, whose agent is a fake. The file `machine.refusing` makes the fake refuse to run. */
  fakeMachineAgent({ isJoined = true } = {}): void {
    const program = join(this.build.dist, 'libs/host/src/machine/machine.main.js');
    mkdirSync(dirname(program), { recursive: true });
    writeFileSync(program, fakeMachineAgent(this.dataDir));
    mkdirSync(this.path('machine'), { recursive: true });
    if (isJoined) writeFileSync(this.path('machine/machine.json'), '{}');
  }

  /** Waits until a line with this text was recorded `times` times. Returns the numbers at the ends of these lines. */
  async storyHas(text: string, times: number): Promise<number[]> {
    const startLines = (): string[] => this.story().filter((line) => line.startsWith(`${text} started`));
    expect(await until(() => startLines().length >= times, { timeoutMs: 30_000 })).toBe(true);
    return startLines().map((line) => Number(line.split(' ').at(-1)));
  }

  path(name: string): string {
    return join(this.dataDir, name);
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  /** Lines that the fakes recorded, oldest first. */
  story(): string[] {
    return this.read('story.txt').trim().split('\n');
  }

  installation(): string {
    return this.read('installation').trim();
  }

  async pidOf(app: 'main' | 'supervisor'): Promise<number | null> {
    try {
      return Number(await (await fetch(`http://127.0.0.1:${this.ports[app]}/pid`)).text());
    } catch {
      return null;
    }
  }

  postmasterPid(): number {
    return Number(this.read('postgres/data/postmaster.pid').split('\n')[0]);
  }

  /** Pids of all living processes of this installation. */
  async survivors(): Promise<number[]> {
    const installation = this.installation();
    return [...(await findApps(installation)), ...(await findNodeProcesses(installation))];
  }

  async close(): Promise<void> {
    for (const child of this.started) child.kill('SIGKILL');
    for (const pid of await findMachineAgents(this.path('machine'))) process.kill(pid, 'SIGKILL');
    try {
      for (const pid of await this.survivors()) process.kill(pid, 'SIGKILL');
    } catch {
      // The installation was never created.
    }
    await stopDatabase({ dataDir: this.dataDir, times: { fastMs: 3_000, immediateMs: 3_000 } });
    rmSync(dirname(this.dataDir), { recursive: true, force: true });
  }
}

/** Puts fakes in the places of the apps. */
export function addFakeApps(build: CompiledLauncher): void {
  for (const name of ['main-api', 'supervisor'] as const) {
    const entry = join(build.dist, 'apps', name, 'src/main.js');
    mkdirSync(dirname(entry), { recursive: true });
    writeFileSync(entry, fakeApp(name));
    writeFileSync(
      join(dirname(entry), 'settings.js'),
      'export const findProblems = () => [], readConfig = () => ({});',
    );
  }
}

/** A running launcher and its output. */
export class LauncherProcess {
  output = '';
  private readonly exit: Promise<number | null>;

  constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    }
    this.exit = once(child, 'close').then(([code]) => code as number | null);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Waits up to a minute until the output contains the text. Otherwise fails with the output. */
  async says(text: string | RegExp): Promise<void> {
    const hasText = (): boolean => (typeof text === 'string' ? this.output.includes(text) : text.test(this.output));
    const settled = await until(() => hasText() || !isAlive(this.pid), { timeoutMs: 60_000 });
    expect(settled && hasText() ? 'said' : this.output).toBe('said');
  }

  /** The exit code, after the process has ended and closed its output. */
  ended(): Promise<number | null> {
    return this.exit;
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  const ports = await Promise.all(
    servers.map(async (server) => {
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    }),
  );
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
