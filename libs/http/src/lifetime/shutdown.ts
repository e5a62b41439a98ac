import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';

/** How long a process that is told to stop goes on serving, so that whoever balances load finds out first. */
export abstract class DrainTime {
  abstract readonly drainMs: number;
}

/**
 * What is left then are connections, and whoever is at their other end may be away: a queue, for one, waits for its
 * Redis for ever. Below the grace of the launcher.
 */
const LEAVE_MS = 8_000;

/**
 * The end of a process, seen from a request. In this order: background work stops, `signal` aborts and readiness turns
 * to 503, requests go on for the drain time with `connection: close`, the listener closes once the last of them is
 * answered, and only then the database is left.
 */
@Injectable()
export class Shutdown implements BeforeApplicationShutdown {
  private readonly controller = new AbortController();

  constructor(private readonly drain: DrainTime) {}

  /** Aborts when the process begins to stop: whoever waits on behalf of a client answers now. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Without a signal it is the app that ends, and not its process: nothing is cut off then. */
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
