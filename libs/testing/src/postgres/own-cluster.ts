import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '../cloud/free-ports.js';

const run = promisify(execFile);
const NOBODY = 65_534;
const SUPERUSER = 'postgres';
const PASSWORD = 'superuser-of-the-test';
/** Debian and Red Hat keep each version in a folder of its own. */
const PLACES = (major: number): string[] => [`/usr/lib/postgresql/${major}/bin`, `/usr/pgsql-${major}/bin`];

/** The programs of a PostgreSQL of the system, with `pg_dump`, or null. */
export function systemPostgres(major: number): string | null {
  return PLACES(major).find((place) => existsSync(join(place, 'pg_dump')) && existsSync(join(place, 'initdb'))) ?? null;
}

/** A PostgreSQL of the system with a cluster of its own, run as the user nobody when the test runs as root. */
export class OwnCluster {
  private constructor(
    private readonly programs: string,
    private readonly directory: string,
    private readonly port: number,
  ) {}

  static async start(programs: string): Promise<OwnCluster> {
    const directory = await mkdtemp(join(tmpdir(), 'landlord-cluster-'));
    const [port = 0] = await freePorts(1);
    const cluster = new OwnCluster(programs, directory, port);
    const password = join(directory, 'password');
    await writeFile(password, PASSWORD);
    if (isRoot) for (const path of [directory, password]) await chown(path, NOBODY, NOBODY);
    await cluster.runAsOwner('initdb', [
      ...['-D', cluster.data, '-U', SUPERUSER, '--pwfile', password, '--auth=scram-sha-256'],
      ...['--encoding=UTF8', '--locale=C', '--no-sync'],
    ]);
    await cluster.control('start');
    return cluster;
  }

  /** The address of a database, by default for the superuser. */
  url(database: string, role = SUPERUSER, password = PASSWORD): string {
    return `postgres://${role}:${password}@127.0.0.1:${this.port}/${database}`;
  }

  /** Runs a program of this PostgreSQL, such as `pg_dump`. Resolves with its exit code and output. */
  async run(program: string, args: string[]): Promise<{ code: number; output: string }> {
    const child = spawn(join(this.programs, program), args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
    const code = await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (ended) => resolve(ended ?? -1));
    });
    return { code, output };
  }

  /** `immediate`: without a checkpoint, so that the next start recovers. */
  async restart(mode: 'fast' | 'immediate' = 'immediate'): Promise<void> {
    await this.control('restart', mode);
  }

  async stop(): Promise<void> {
    await this.control('stop', 'immediate').catch(() => undefined);
    await rm(this.directory, { recursive: true, force: true });
  }

  private get data(): string {
    return join(this.directory, 'data');
  }

  private async control(verb: 'start' | 'restart' | 'stop', mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    const options = `-p ${this.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -c max_connections=200`;
    await this.runAsOwner('pg_ctl', [
      ...['-D', this.data, '-l', join(this.directory, 'log'), '-w', verb],
      ...(verb === 'start' ? [] : ['-m', mode]),
      ...(verb === 'stop' ? [] : ['-o', options]),
    ]);
  }

  private async runAsOwner(program: string, args: string[]): Promise<void> {
    const owner = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
    await run(join(this.programs, program), args, { ...owner, cwd: '/' });
  }
}

const isRoot = process.getuid?.() === 0;
