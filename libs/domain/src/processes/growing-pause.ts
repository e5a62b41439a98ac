/**
 * The pauses between failed tries of one thing. Each is random between half of a bound and the bound. The bound doubles from
 * `firstMs` to `longestMs`, so no failure is repeated without a pause, and none is repeated rarely.
 */
export class GrowingPause {
  private failures = 0;

  constructor(
    private readonly firstMs: number,
    private readonly longestMs: number,
  ) {}

  /** The milliseconds until the next try, after one more failure. */
  next(): number {
    const boundMs = Math.min(this.firstMs * 2 ** this.failures, this.longestMs);
    this.failures += 1;
    return boundMs * (0.5 + Math.random() / 2);
  }

  /** A try has succeeded: the next failure begins with the shortest pause. */
  reset(): void {
    this.failures = 0;
  }
}

/**
 * The pauses of everything that waits for the database: at most 4 s, because all of it works again within ten seconds of the
 * database.
 */
export const databasePause = (): GrowingPause => new GrowingPause(200, 4_000);
