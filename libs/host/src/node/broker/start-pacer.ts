const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;
/** A shorter lifetime counts as a fast failure. */
const FAST_FAILURE_MS = 30_000;
const FAST_FAILURES_LIMIT = 5;

/** Delay before the next start of a process that keeps ending: 1 s, doubling to 30 s, without a limit of attempts. */
export class StartPacer {
  private failures = 0;
  private notBeforeMs = 0;

  /** True after five fast failures in a row. Then the status is `failed` instead of `starting`. */
  get isHopeless(): boolean {
    return this.failures >= FAST_FAILURES_LIMIT;
  }

  /** Milliseconds until the next start. 0 when it is due. */
  delayMs(nowMs: number): number {
    return Math.max(this.notBeforeMs - nowMs, 0);
  }

  ended(livedMs: number, nowMs: number): void {
    this.failures = livedMs < FAST_FAILURE_MS ? this.failures + 1 : 1;
    this.notBeforeMs = nowMs + Math.min(FIRST_DELAY_MS * 2 ** (this.failures - 1), LONGEST_DELAY_MS);
  }

  /** After a change the next start is due at once. */
  reset(): void {
    this.failures = 0;
    this.notBeforeMs = 0;
  }
}
