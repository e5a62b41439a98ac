import { setImmediate } from 'node:timers/promises';

/** Longest time in milliseconds that the work blocks the event loop. */
const LONGEST_MS = 10;

/** Lets other work of the process run during long computations. */
export class Breather {
  private since = performance.now();

  /** Must be awaited between short pieces of work. */
  async pause(): Promise<void> {
    if (performance.now() - this.since < LONGEST_MS) return;
    await setImmediate();
    this.since = performance.now();
  }
}
