import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { START_CAUSES, startText, type StartCauseName, type StartFacts } from '@libs/domain/starts';
import { freePorts } from '@libs/testing';

/** In every address with a password. No output may contain it. */
export const PASSWORD = 'hunter2-never-shown';

const ENTRIES = {
  landlord: 'dist/libs/launcher/src/main.js',
  'main-api': 'dist/apps/main-api/src/main.js',
  supervisor: 'dist/apps/supervisor/src/main.js',
};
/** Longer than every check of a start. */
const PATIENCE_MS = 90_000;

export interface FailedStart {
  code: number | null;
  /** Standard error, without the log. */
  said: string;
}

/** A data directory with free ports, and the processes that a test starts there. */
export class StartBench {
  readonly home = mkdtempSync(join(tmpdir(), 'landlord-failed-'));
  readonly dataDir = join(this.home, 'data');
  private readonly children: ChildProcess[] = [];

  private constructor(readonly ports: { main: number; supervisor: number; gateway: number }) {}

  static async open(): Promise<StartBench> {
    const [main = 0, supervisor = 0, gateway = 0] = await freePorts(3);
    return new StartBench({ main, supervisor, gateway });
  }

  get settings(): Record<string, string> {
    return {
      LANDLORD_DATA_DIR: this.dataDir,
      MAIN_API_PORT: String(this.ports.main),
      SUPERVISOR_PORT: String(this.ports.supervisor),
      GATEWAY_PORT: String(this.ports.gateway),
      LOCAL_BROKER: 'embedded',
    };
  }

  /** Starts a process as a person does. `uid`: as this user. */
  spawn(program: keyof typeof ENTRIES, env: Record<string, string>, uid?: number, verb = 'start'): ChildProcess {
    const args = [resolve(ENTRIES[program]), ...(program === 'landlord' ? [verb] : [])];
    const child = spawn(process.execPath, args, {
      env: { PATH: process.env['PATH'] ?? '', ...this.settings, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(uid === undefined ? {} : { uid, gid: uid }),
    });
    this.children.push(child);
    return child;
  }

  /** Starts a process, which must end by itself with a message and without a stack or the password. */
  async fails(...start: Parameters<StartBench['spawn']>): Promise<FailedStart> {
    const failed = await this.failsBeside(...start);
    expect(this.remains()).toEqual([]);
    return failed;
  }

  /** Like `fails`, while another process of the test uses the data directory. */
  async failsBeside(...start: Parameters<StartBench['spawn']>): Promise<FailedStart> {
    const child = this.spawn(...start);
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    // A launcher that started against the expectation of the test stops everything that it started.
    const patience = setTimeout(() => child.kill('SIGTERM'), PATIENCE_MS);
    const [code] = (await once(child, 'close')) as [number | null];
    clearTimeout(patience);
    expect(said).not.toMatch(/\n\s+at /);
    expect(said).not.toContain(PASSWORD);
    return { code, said };
  }

  /** The files of the data directory, without those that every start creates. */
  files(): string[] {
    if (!existsSync(this.dataDir)) return [];
    const files = readdirSync(this.dataDir, { recursive: true, encoding: 'utf8' });
    return files.filter((name) => !['logs', 'logs/postgres.log'].includes(name)).sort();
  }

  close(): void {
    for (const child of this.children) child.kill('SIGKILL');
    rmSync(this.home, { recursive: true, force: true });
  }

  /** The files of processes that still run. */
  private remains(): string[] {
    return this.files().filter((name) => name.endsWith('postmaster.pid') || name.endsWith('launcher.lock'));
  }
}

/** The whole refusal of a cause: its exit code, and its message as the only output. */
export function refusal<Cause extends StartCauseName>(cause: Cause, facts: StartFacts<Cause>): FailedStart {
  return { code: START_CAUSES[cause].exit, said: `${startText(cause, facts)}\n` };
}

/** Listens on these ports of the loopback until `close`. A handler answers connections; without it they stay silent. */
export async function listenOn(
  ports: readonly number[],
  onConnection?: (socket: Socket) => void,
): Promise<{ ports: number[]; close(): void }> {
  const servers: Server[] = ports.map((port) => createServer(onConnection).listen(port, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const found = servers.map((server) => (server.address() as { port: number }).port);
  return { ports: found, close: () => servers.forEach((server) => server.close()) };
}

/**
 * The real PostgreSQL behind a proxy that changes its version in the answers. The texts have the same length, so the messages
 * of the protocol stay valid.
 */
export async function withVersion(databaseUrl: string, major: 14 | 19): Promise<{ url: string; close(): void }> {
  const target = new URL(databaseUrl);
  const { hostname, port } = target;
  const proxy = await listenOn([0], (client) => {
    const server = connect(Number(port), hostname);
    client.pipe(server);
    server.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1').replaceAll(/18(0\d{3}|\.\d)/g, `${major}$1`);
      client.write(Buffer.from(text, 'latin1'));
    });
    client.on('error', () => server.destroy()).on('close', () => server.destroy());
    server.on('error', () => client.destroy()).on('close', () => client.destroy());
  });
  target.port = String(proxy.ports[0]);
  return { url: target.href, close: () => proxy.close() };
}
