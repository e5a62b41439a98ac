import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';

/** Time that a stopping process continues to serve, so that load balancers notice the stop first. */
export abstract class DrainTime {
  abstract readonly drainMs: number;
}

/**
 * After this time only connections are left, and their other end may be unreachable. For example, a queue waits for its
 * Redis without a limit. Shorter than the stop timeout of the launcher.
 */
const LEAVE_MS = 8_000;

/**
 * The stop of a process, as requests observe it. The order: background work stops, `signal` aborts and readiness
 * becomes 503. Requests are served for the drain time with `connection: close`. The listener closes after the last
 * answer. Then the database connection closes.
 */
@Injectable()
export class Shutdown implements BeforeApplicationShutdown {
  private readonly controller = new AbortController();

  constructor(private readonly drain: DrainTime) {}

  /** Aborts when the process starts to stop. Code that waits for a client's request answers at once. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Without a signal only the app stops, not its process. Then nothing is cut off. */
  async beforeApplicationShutdown(signal?: string): Promise<void> {
    this.controller.abort();
    await delay(this.drain.drainMs);
    if (signal === undefined) return;
    setTimeout(() => {
      new Logger('Shutdown').warn('some connections do not close, the process ends without them');
      process.exit(0);
    }, LEAVE_MS).unref();
  }
}
