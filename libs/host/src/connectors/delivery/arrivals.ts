import type { Arrival } from './session.js';

/** A bounded buffer of arrived messages. When it is full, the broker must wait. */
export class Arrivals<T = Arrival> {
  private waiting: T[] = [];
  private bytes = 0;
  private readonly blocked: (() => void)[] = [];
  private wake: (() => void) | null = null;
  private isClosed = false;

  constructor(
    /** The buffer is full when it has this many bytes, as `bytesOf` counts them. */
    private readonly most: number = Infinity,
    private readonly bytesOf: (arrival: T) => number = () => 0,
  ) {}

  get size(): number {
    return this.waiting.length;
  }

  /** Resolves when the buffer has space for another message. */
  async add(arrival: T): Promise<void> {
    this.waiting.push(arrival);
    this.bytes += this.bytesOf(arrival);
    this.wake?.();
    if (this.bytes >= this.most && !this.isClosed) await new Promise<void>((resolve) => this.blocked.push(resolve));
  }

  /** Takes up to `count` messages, in order. */
  take(count: number): T[] {
    const messages = this.waiting.splice(0, count);
    for (const arrival of messages) this.bytes -= this.bytesOf(arrival);
    if (this.bytes < this.most) for (const go of this.blocked.splice(0)) go();
    return messages;
  }

  /** Ends all waiting. */
  close(): void {
    this.isClosed = true;
    this.wake?.();
    for (const go of this.blocked.splice(0)) go();
  }

  /** Resolves when a message is waiting, or the buffer was closed. */
  async some(): Promise<void> {
    if (this.waiting.length > 0 || this.isClosed) return;
    // Does not use Promise.race with the end of the connection: each race would add a listener to that long-lived promise.
    await new Promise<void>((resolve) => (this.wake = resolve));
    this.wake = null;
  }
}
