/** Messages that wait for longer, while none moves, are a stall. */
const STALL_MS = 10_000;

/** Notices that messages wait and nothing moves, whatever the cause. Times in milliseconds since the epoch. */
export class StallWatch {
  private movedAtMs = 0;
  private waitingSinceMs: number | null = null;

  moved(nowMs: number): void {
    this.movedAtMs = nowMs;
  }

  /** What is wrong, or null. `lag`: the number of waiting messages. Call it at least every few seconds. */
  reason(lag: number, nowMs: number): string | null {
    if (lag === 0) this.waitingSinceMs = null;
    else this.waitingSinceMs ??= nowMs;
    if (this.waitingSinceMs === null) return null;
    const stillMs = nowMs - Math.max(this.waitingSinceMs, this.movedAtMs);
    if (stillMs < STALL_MS) return null;
    return `messages wait, and none has moved for ${STALL_MS / 1_000} seconds`;
  }
}
