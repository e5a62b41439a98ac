const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/** Delay before the next attempt: 0.5 s, doubling up to 30 s. */
export class RetryPace {
  private waitMs = FIRST_MS;

  nextMs(): number {
    const waitMs = this.waitMs;
    this.waitMs = Math.min(waitMs * 2, LONGEST_MS);
    return waitMs;
  }

  reset(): void {
    this.waitMs = FIRST_MS;
  }
}
