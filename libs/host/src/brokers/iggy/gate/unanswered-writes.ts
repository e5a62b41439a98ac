/** Time that a write may wait for its answer before the server counts as stalled, in milliseconds. */
const PATIENCE_MS = 5_000;

/**
 * Writes of HTTP clients that the server has received and not answered. The servers of a cluster take connections and answer reads
 * while too few of them run to store a message, so only waiting writes show this state.
 */
export class UnansweredWrites {
  /** The start of each waiting write, oldest first. */
  private readonly waiting = new Map<symbol, number>();
  private answeredAtMs = 0;

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** The server has received a whole write. Call the result when the server has answered, or the write has ended without an answer. */
  begin(): (isAnswered: boolean) => void {
    const key = Symbol('write');
    this.waiting.set(key, this.nowMs());
    return (isAnswered) => {
      this.waiting.delete(key);
      if (isAnswered) this.answeredAtMs = this.nowMs();
    };
  }

  /** Whether a write waits for more than 5 seconds, and the server has answered no other write in this time. */
  get areStalled(): boolean {
    const [oldestMs] = this.waiting.values();
    return oldestMs !== undefined && this.nowMs() - Math.max(oldestMs, this.answeredAtMs) >= PATIENCE_MS;
  }
}
