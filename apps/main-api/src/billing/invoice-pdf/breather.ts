import { setImmediate } from 'node:timers/promises';

/** Longest that the process is kept from everything else, in milliseconds. */
const LONGEST_MS = 10;

/** Lets others have their turn during long work of the processor. */
export class Breather {
  private since = performance.now();

  /** To be awaited between pieces that are short by themselves. */
  async pause(): Promise<void> {
    if (performance.now() - this.since < LONGEST_MS) return;
    await setImmediate();
    this.since = performance.now();
  }
}
