import { spawn, type ChildProcess } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { eventually } from '../eventually.js';

/** Longer than an app may take to leave. */
const STOP_DEADLINE_MS = 20_000;

export type AppName = 'main-api' | 'supervisor';

/** One real app process, from the compiled tree. */
export class AppProcess {
  private child: ChildProcess | undefined;
  private readonly logFile: string;

  constructor(
    readonly name: AppName,
    readonly url: string,
    private readonly environment: Record<string, string>,
    directory: string,
    instance = 1,
  ) {
    this.logFile = join(directory, `${name}-${instance}.log`);
  }

  /** Starts the process and waits until it is ready. */
  async start(): Promise<void> {
    const log = openSync(this.logFile, 'a');
    const entry = resolve('dist/apps', this.name, 'src/main.js');
    const env = { PATH: process.env['PATH'] ?? '', ...this.environment };
    this.child = spawn(process.execPath, [entry], { env, stdio: ['ignore', log, log] });
    await eventually(`${this.name} is ready`, async () => {
      if (this.child?.exitCode !== null) throw new Error(`${this.name} ended:\n${this.log().slice(-3000)}`);
      return (await fetch(`${this.url}/health/ready`).catch(() => null))?.status === 200;
    });
  }

  get isRunning(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  log(): string {
    return readFileSync(this.logFile, 'utf8');
  }

  /** kill -9. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** The way an operator stops it. */
  async stop(): Promise<void> {
    await this.end('SIGTERM');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((settle) => child.once('exit', settle));
    child.kill(signal);
    const patience = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS);
    await ended;
    clearTimeout(patience);
    if (signal === 'SIGTERM' && child.signalCode === 'SIGKILL')
      throw new TypeError(`${this.name} did not stop in ${STOP_DEADLINE_MS} ms:\n${this.log().slice(-2000)}`);
  }
}
