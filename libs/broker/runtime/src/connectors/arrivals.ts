import type { Arrival } from './broker-session.js';

/** Messages that have arrived and wait to be moved, up to a bound above which the broker has to wait. */
export class Arrivals {
  private waiting: Arrival[] = [];
  private readonly blocked: (() => void)[] = [];
  private wake: (() => void) | null = null;

  constructor(private readonly most: number) {}

  /** Resolves when there is room for another. */
  async add(arrival: Arrival): Promise<void> {
    this.waiting.push(arrival);
    this.wake?.();
    if (this.waiting.length >= this.most) await new Promise<void>((resolve) => this.blocked.push(resolve));
  }

  /** Up to `count` of them, in order. */
  take(count: number): Arrival[] {
    const taken = this.waiting.splice(0, count);
    for (const go of this.blocked.splice(0)) go();
    return taken;
  }

  /** Resolves when one waits, or with `ended`. */
  async some(ended: Promise<unknown>): Promise<void> {
    if (this.waiting.length > 0) return;
    const arrived = new Promise<void>((resolve) => (this.wake = resolve));
    await Promise.race([arrived, ended]);
    this.wake = null;
  }
}
