const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

/**
 * Full jitter: each delay is random below a bound that doubles from 1 s to 60 s, so that agents do not retry at the same time.
 */
export class Backoff {
  private failures = 0;

  /** Delay in milliseconds before the next attempt. At least the delay that the gateway requested. */
  next(askedMs: number | null = null): number {
    const bound = Math.min(FIRST_MS * 2 ** this.failures, LONGEST_MS);
    this.failures += 1;
    return Math.max(Math.random() * bound, askedMs ?? 0);
  }

  reset(): void {
    this.failures = 0;
  }
}
