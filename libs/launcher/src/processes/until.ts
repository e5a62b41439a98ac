import { setTimeout as delay } from 'node:timers/promises';

export interface UntilOptions {
  /** Total time limit. */
  timeoutMs: number;
  /** Pause between two checks. Default: 50 ms. */
  everyMs?: number;
  /** Ends the wait early, like a timeout. */
  hurry?: AbortSignal | undefined;
}

/** Polls until the condition is true (returns true) or the time is over (returns false). Checks at least once. */
export async function until(condition: () => boolean | Promise<boolean>, options: UntilOptions): Promise<boolean> {
  const deadline = performance.now() + options.timeoutMs;
  for (;;) {
    if (await condition()) return true;
    if (options.hurry?.aborted || performance.now() >= deadline) return false;
    await delay(options.everyMs ?? 50, undefined, { signal: options.hurry }).catch(() => undefined);
  }
}
