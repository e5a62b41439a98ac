import { spawn, type StdioOptions } from 'node:child_process';
import { openSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { eventually } from '../basics/eventually.js';

/** Longer than an app needs to exit. */
const STOP_DEADLINE_MS = 20_000;

export type AppName = 'main-api' | 'supervisor';

/** A process, started by this or another suite. */
interface Running {
  pid: number;
  hasEnded(): boolean;
  /** Resolves when it has ended. */
  ended: Promise<unknown>;
  /** Allows this test run to end before the process. */
  letGo(): void;
}

/** One real app process, from the compiled tree of this or another checkout. */
export class AppProcess {
  private running: Running | undefined;
  private readonly logFile: string;
  /** Offset in the log file where the log of this suite starts. */
  private logFrom = 0;

  constructor(
    readonly name: AppName,
    readonly url: string,
    private readonly environment: Record<string, string>,
    private readonly directory: string,
    instance = 1,
    private readonly checkout = process.cwd(),
  ) {
    this.logFile = join(directory, `${name}-${instance}.log`);
  }

  /** Starts the process and waits until it is ready. */
  async start(): Promise<void> {
    const log = openSync(this.logFile, 'a');
    const entry = resolve(this.checkout, 'dist/apps', this.name, 'src/main.js');
    const env = { PATH: process.env['PATH'] ?? '', ...this.environment };
    // Apps read no arguments. The directory is an argument so that a cleanup after a dead run finds the process.
    const stdio: StdioOptions = ['ignore', log, log];
    const child = spawn(process.execPath, [entry, this.directory], { cwd: this.checkout, env, stdio });
    const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
    const ended = new Promise((settle) => child.once('exit', settle));
    this.running = { pid: child.pid ?? 0, hasEnded, ended, letGo: () => child.unref() };
    await eventually(`${this.name} is ready`, async () => {
      if (hasEnded()) throw new Error(`${this.name} ended:\n${this.log().slice(-3000)}`);
      return this.isReady();
    });
  }

  /** Takes over a process that another suite started with the same settings. Its log starts here. */
  async adopt(pid: number): Promise<boolean> {
    const hasEnded = (): boolean => !isAlive(pid);
    // Polls only when the end is awaited, because a process gets no event for the exit of another process's child.
    const running: Running = {
      pid,
      hasEnded,
      get ended() {
        return eventually('the process has ended', hasEnded);
      },
      letGo: () => undefined,
    };
    if (hasEnded() || !(await this.isReady())) return false;
    this.running = running;
    this.logFrom = statSync(this.logFile).size;
    return true;
  }

  /** Detaches from the process, so that it does not keep the test run alive. */
  letGo(): void {
    this.running?.letGo();
    this.running = undefined;
  }

  get isRunning(): boolean {
    return this.running !== undefined && !this.running.hasEnded();
  }

  get pid(): number {
    return this.running?.pid ?? 0;
  }

  log(): string {
    return readFileSync(this.logFile).subarray(this.logFrom).toString('utf8');
  }

  /** Sends SIGKILL. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Sends SIGTERM, like an operator. */
  async stop(): Promise<void> {
    await this.end('SIGTERM');
  }

  private async isReady(): Promise<boolean> {
    return (await fetch(`${this.url}/health/ready`).catch(() => null))?.status === 200;
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { running } = this;
    if (!running || running.hasEnded()) return;
    const { ended } = running;
    let isPatient = true;
    process.kill(running.pid, signal);
    const patience = setTimeout(() => {
      isPatient = false;
      if (!running.hasEnded()) process.kill(running.pid, 'SIGKILL');
    }, STOP_DEADLINE_MS);
    await ended;
    clearTimeout(patience);
    if (signal === 'SIGTERM' && !isPatient)
      throw new TypeError(`${this.name} did not stop in ${STOP_DEADLINE_MS} ms:\n${this.log().slice(-2000)}`);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
