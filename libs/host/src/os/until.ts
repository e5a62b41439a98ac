import { setTimeout as delay } from 'node:timers/promises';

export interface UntilOptions {
  /** Total time limit. */
  timeoutMs: number;
  /** Pause between two checks. Default: 50 ms. */
  everyMs?: number;
  /** Ends the wait early, like a timeout. */
  hurry?: AbortSignal | undefined;
  /** Ends the wait, which then rejects with its reason. */
  signal?: AbortSignal | undefined;
}

/** Polls until the condition is true (returns true) or the time is over (returns false). Checks at least once. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  { timeoutMs, everyMs = 50, hurry, signal }: UntilOptions,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    if (await condition()) return true;
    signal?.throwIfAborted();
    if (hurry?.aborted || performance.now() >= deadline) return false;
    await delay(everyMs, undefined, { signal: hurry }).catch(() => undefined);
  }
}
