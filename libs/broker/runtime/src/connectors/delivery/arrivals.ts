import type { Arrival } from './broker-session.js';

/** Messages that have arrived and wait to be moved, up to a bound above which the broker has to wait. */
export class Arrivals {
  private waiting: Arrival[] = [];
  private readonly blocked: (() => void)[] = [];
  private wake: (() => void) | null = null;
  private isClosed = false;

  constructor(private readonly most: number) {}

  /** Resolves when there is room for another. */
  async add(arrival: Arrival): Promise<void> {
    this.waiting.push(arrival);
    this.wake?.();
    if (this.waiting.length >= this.most && !this.isClosed)
      await new Promise<void>((resolve) => this.blocked.push(resolve));
  }

  /** Up to `count` of them, in order. */
  take(count: number): Arrival[] {
    const taken = this.waiting.splice(0, count);
    for (const go of this.blocked.splice(0)) go();
    return taken;
  }

  /** Nothing more is waited for. */
  close(): void {
    this.isClosed = true;
    this.wake?.();
    for (const go of this.blocked.splice(0)) go();
  }

  /** Resolves when one waits, or it was closed. */
  async some(): Promise<void> {
    if (this.waiting.length > 0 || this.isClosed) return;
    // Not a race with the end of the connection: each race would leave something at a promise that lives as long.
    await new Promise<void>((resolve) => (this.wake = resolve));
    this.wake = null;
  }
}
