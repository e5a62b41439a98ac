import { setTimeout as delay } from 'node:timers/promises';

export interface UntilOptions {
  /** How long to go on asking. */
  timeoutMs: number;
  /** Pause between two questions. Default: 50 ms. */
  everyMs?: number;
  /** Ends the wait early, as if the time were over. */
  hurry?: AbortSignal | undefined;
}

/** Asks until the condition holds (true) or the time is over (false). The condition is asked at least once. */
export async function until(condition: () => boolean | Promise<boolean>, options: UntilOptions): Promise<boolean> {
  const deadline = performance.now() + options.timeoutMs;
  for (;;) {
    if (await condition()) return true;
    if (options.hurry?.aborted || performance.now() >= deadline) return false;
    await delay(options.everyMs ?? 50, undefined, { signal: options.hurry }).catch(() => undefined);
  }
}
