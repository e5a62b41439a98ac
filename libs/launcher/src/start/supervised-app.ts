import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { EXIT_CHANGE } from '@libs/domain/starts';
import { closeLog, lastLines, openLog, rotateLog, sizeOf, tailOf, LogFollower, sendSignal, until } from '@libs/host/os';
import { LauncherError } from '../launcher-error.js';
import { loopbackStatus } from '../processes/loopback-status.js';
import type { AppName } from './app-entries.js';
import { ErrorOutput } from './error-output.js';
import { indented, type Terminal } from './terminal.js';
import { Upkeep } from './upkeep.js';

export interface AppSpec {
  name: AppName;
  /** Compiled entry file. */
  entry: string;
  args: string[];
  /** Called before each start, because the database may have another port. */
  environment(): Record<string, string>;
  /** Answers 200 when the app is ready. */
  readyUrl: string;
  log: string;
}

/** Milliseconds. The pause before a restart doubles from `first` to `longest`. A lifetime of `healthy` resets it. */
export interface Backoff {
  first: number;
  longest: number;
  healthy: number;
}

const BACKOFF: Backoff = { first: 1_000, longest: 30_000, healthy: 60_000 };
const LOG_LIMIT_BYTES = 32 * 1024 * 1024;
/** Number of exits before the first readiness after which the start fails, because a wrong setting does not fix itself. */
const HOPELESS_DEATHS = 3;
/** Lines of a dead app on the terminal. */
const SHOWN_LINES = 10;
const REFUSAL = `exit code ${EXIT_CHANGE}`;

/**
 * One app that is restarted when it dies. Each process has its own session, so that Ctrl-C reaches only the launcher. Its
 * output is appended to a file, so that it survives the death of the launcher. No failure of that file ends the app or the launcher.
 */
export class SupervisedApp {
  private readonly ending = new AbortController();
  private readonly follower: LogFollower;
  private readonly upkeep: Upkeep;
  private child: ChildProcess | null = null;
  private errors: ErrorOutput | null = null;
  private pauseMs: number;
  private readyAt: number | null = null;
  private wasNeverReady = true;
  /** The message of an app that says that it cannot start. */
  private refusal: string | null = null;
  private deaths = 0;
  private lifeStart = 0;
  private loop: Promise<void> = Promise.resolve();

  constructor(
    private readonly spec: AppSpec,
    private readonly terminal: Terminal,
    private readonly backoff: Backoff = BACKOFF,
  ) {
    this.pauseMs = backoff.first;
    this.upkeep = new Upkeep(terminal);
    this.follower = new LogFollower(spec.log, (line) => terminal.complain(`${spec.name}: ${line}`));
  }

  /** Starts the app and restarts it until stop is called. */
  start(): void {
    this.loop = this.keepAlive();
  }

  /** Resolves when the app is ready. Throws LauncherError when it refuses to start, keeps dying, or after `timeoutMs`. */
  async whenReady(timeoutMs: number, cancel: AbortSignal): Promise<void> {
    const settled = (): boolean => this.readyAt !== null || this.deaths >= HOPELESS_DEATHS || this.refusal !== null;
    await until(settled, { timeoutMs, hurry: cancel });
    if (this.readyAt !== null || cancel.aborted) return;
    if (this.refusal !== null) throw new LauncherError(this.refusal, { exitCode: EXIT_CHANGE });
    // The last log lines of each exit were already shown.
    if (this.deaths > 0) throw new LauncherError(`${this.spec.name} does not start. Its log: ${this.spec.log}`);
    throw new LauncherError(
      `${this.spec.name} is not ready after ${timeoutMs / 1000} seconds. The last lines of ${this.spec.log}:\n${this.lastLines()}`,
    );
  }

  /** SIGTERM, up to `graceMs`, then SIGKILL for its whole group. Resolves when the process has ended. */
  async stop(graceMs: number, hurry: AbortSignal): Promise<void> {
    this.ending.abort();
    await this.endLife(graceMs, hurry);
    await this.loop;
  }

  /** Ends the current process. The next one gets a new environment. */
  async renew(graceMs: number): Promise<void> {
    this.pauseMs = this.backoff.first;
    await this.endLife(graceMs, this.ending.signal);
  }

  /** Periodic work: shows important log lines and limits the size of the log. */
  tend(): void {
    this.upkeep.run(`the log of ${this.spec.name}`, () => {
      this.follower.read();
      rotateLog(this.spec.log, LOG_LIMIT_BYTES);
    });
  }

  private async keepAlive(): Promise<void> {
    while (!this.ending.signal.aborted) {
      const how = await this.live();
      this.tend();
      if (this.ending.signal.aborted) return;
      if (how === REFUSAL && this.wasNeverReady) {
        this.refusal = `${this.spec.name} cannot start. ${this.lastMessage()}`;
        return;
      }
      await this.pauseAfter(how);
    }
  }

  /** One process from spawn to exit. Resolves with the exit reason. */
  private async live(): Promise<string> {
    this.lifeStart = sizeOf(this.spec.log);
    this.readyAt = null;
    this.errors = null;
    const over = new AbortController();
    try {
      const child = this.spawn();
      this.child = child;
      void this.watchReadiness(over.signal);
      const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
      return signal ?? `exit code ${code}`;
    } catch (error) {
      return String(error);
    } finally {
      over.abort();
      // Also kills the children in its group, so that the next process finds its ports free.
      if (this.child?.pid !== undefined) sendSignal(-this.child.pid, 'SIGKILL');
      await (this.errors as ErrorOutput | null)?.end();
      this.child = null;
    }
  }

  private spawn(): ChildProcess {
    const log = openLog(this.spec.log);
    try {
      const child = spawn(process.execPath, ['--enable-source-maps', this.spec.entry, ...this.spec.args], {
        env: this.spec.environment(),
        stdio: ['ignore', log, 'pipe'],
        detached: true,
      });
      if (child.stderr) this.errors = new ErrorOutput(child.stderr, this.spec.log);
      return child;
    } finally {
      closeLog(log);
    }
  }

  private async watchReadiness(over: AbortSignal): Promise<void> {
    const ready = await until(() => over.aborted || this.isAnswering(over), {
      timeoutMs: Number.POSITIVE_INFINITY,
      everyMs: 100,
      hurry: over,
    });
    if (!ready || over.aborted) return;
    this.readyAt = performance.now();
    this.wasNeverReady = false;
    if (this.deaths > 0) this.terminal.say(`${this.spec.name} is running again.`);
  }

  private async isAnswering(over: AbortSignal): Promise<boolean> {
    return (await loopbackStatus(this.spec.readyUrl, AbortSignal.any([over, AbortSignal.timeout(3_000)]))) === 200;
  }

  private async pauseAfter(how: string): Promise<void> {
    const wasHealthy = this.readyAt !== null && performance.now() - this.readyAt >= this.backoff.healthy;
    if (wasHealthy) this.pauseMs = this.backoff.first;
    this.readyAt = null;
    this.deaths += 1;
    const pauseMs = this.pauseMs;
    this.pauseMs = Math.min(pauseMs * 2, this.backoff.longest);
    this.terminal.complain(
      `${this.spec.name} stopped (${how}). Landlord starts it again in ${pauseMs / 1000} s. The last lines of its log:\n${this.lastLines()}`,
    );
    await delay(pauseMs, undefined, { signal: this.ending.signal }).catch(() => undefined);
  }

  private async endLife(graceMs: number, hurry: AbortSignal): Promise<void> {
    const child = this.child;
    if (child?.pid === undefined) return;
    sendSignal(child.pid, 'SIGTERM');
    const gone = (): boolean => this.child !== child;
    if (await until(gone, { timeoutMs: graceMs, hurry })) return;
    sendSignal(-child.pid, 'SIGKILL');
    await until(gone, { timeoutMs: 5_000 });
  }

  /** The error output of the last process, or its log when it wrote none. */
  private lastLines(): string {
    const errors = lastLines(this.errors?.text ?? '', SHOWN_LINES);
    return indented(errors || tailOf(this.spec.log, SHOWN_LINES, this.lifeStart) || '(nothing)');
  }

  /** A refusal to start is all that the app writes as errors. */
  private lastMessage(): string {
    return this.errors?.text.trimEnd() || afterLogLines(tailOf(this.spec.log, 30, this.lifeStart));
  }
}

/** The lines after the last line of the log in JSON. */
function afterLogLines(text: string): string {
  const lines = text.split('\n');
  return lines.slice(lines.findLastIndex((line) => line.startsWith('{')) + 1).join('\n');
}
