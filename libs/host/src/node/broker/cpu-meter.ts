/** Turns total CPU seconds into a load: percent of one core since the last call. 0 for the first call. */
export class CpuMeter {
  private last: { atMs: number; seconds: number } | null = null;

  percent(seconds: number, nowMs: number): number {
    const { last } = this;
    this.last = { atMs: nowMs, seconds };
    // A smaller total means that the process was restarted in between.
    if (last === null || seconds < last.seconds || nowMs <= last.atMs) return 0;
    return Math.round(((seconds - last.seconds) / (nowMs - last.atMs)) * 1_000_000) / 10;
  }
}
