import type { ClassicLevel } from 'classic-level';

/** Keys that one step reads. Other work of the process runs between two steps. */
const STEP_KEYS = 1_000;
const SHORTEST_PAUSE_MS = 10_000;
/** A count takes at most this part of the time. */
const PAUSE_PER_COUNT = 50;

const RETAINED = 'retained:';
const WAITING = 'outgoing:';

/**
 * Counts the messages in the store: the retained ones, and those that wait for a client. The store has no counter, so the keys
 * are read periodically, less often in a large store.
 */
export class KeptMessages {
  private counted: number | null = null;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    private readonly store: ClassicLevel,
    /** Called with the topic of each retained message. */
    private readonly onRetained: (topic: string) => void,
  ) {}

  /** Null before the first count. */
  get count(): number | null {
    return this.counted;
  }

  start(): void {
    void this.recount();
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private async recount(): Promise<void> {
    const startedAt = performance.now();
    const retained = await this.countKeys(RETAINED, (key) => this.onRetained(key.slice(RETAINED.length)));
    const waiting = await this.countKeys(WAITING, () => undefined);
    if (this.isStopped) return;
    if (retained !== null && waiting !== null) this.counted = retained + waiting;
    const pauseMs = Math.max(SHORTEST_PAUSE_MS, PAUSE_PER_COUNT * (performance.now() - startedAt));
    this.timer = setTimeout(() => void this.recount(), pauseMs).unref();
  }

  /** Null when the store is closed in between. Prefixes end with ":", and ";" is the next character. */
  private async countKeys(prefix: string, onKey: (key: string) => void): Promise<number | null> {
    const keys = this.store.keys({ gte: prefix, lt: `${prefix.slice(0, -1)};` });
    let count = 0;
    try {
      for (;;) {
        const step = await keys.nextv(STEP_KEYS);
        for (const key of step) onKey(key);
        count += step.length;
        if (step.length === 0) return count;
      }
    } catch {
      return null;
    } finally {
      await keys.close();
    }
  }
}
