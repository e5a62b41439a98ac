const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;
/** A process that lived shorter counts as a fast failure. */
const FAST_FAILURE_MS = 30_000;
const FAST_FAILURES_LIMIT = 5;

/** When a process that keeps ending may be started again: after 1 s, doubling to 30 s, for ever. */
export class StartPacer {
  private failures = 0;
  private notBeforeMs = 0;

  /** True after five fast failures in a row: there is no sense in calling it "starting" any longer. */
  get isHopeless(): boolean {
    return this.failures >= FAST_FAILURES_LIMIT;
  }

  /** Milliseconds until the next start is due; 0 when it is. */
  delayMs(nowMs: number): number {
    return Math.max(this.notBeforeMs - nowMs, 0);
  }

  ended(livedMs: number, nowMs: number): void {
    this.failures = livedMs < FAST_FAILURE_MS ? this.failures + 1 : 1;
    this.notBeforeMs = nowMs + Math.min(FIRST_DELAY_MS * 2 ** (this.failures - 1), LONGEST_DELAY_MS);
  }

  /** Something changed: the next start is due at once. */
  reset(): void {
    this.failures = 0;
    this.notBeforeMs = 0;
  }
}
