/** Failures without a wait: of one address, and of the whole node. */
const FREE_PER_ADDRESS = 5;
const FREE_PER_NODE = 25;
/** Longest wait. The one of the node is short, because other people cause it. */
const LONGEST_WAIT_MS = 5 * 60_000;
const LONGEST_NODE_WAIT_MS = 30_000;
/** Failures are forgotten when none follows for this time. */
const FORGET_MS = 15 * 60_000;
const MOST_ADDRESSES = 1_000;

interface Failures {
  count: number;
  lastMs: number;
  waitUntilMs: number;
}

/** Slows down guesses of the password: after five failures an address waits, twice as long after each further one. */
export class SignInThrottle {
  private readonly byAddress = new Map<string, Failures>();
  private node: Failures = none();

  /** How long the address has to wait before its next attempt, in milliseconds. 0: not at all. */
  waitMs(address: string, nowMs = Date.now()): number {
    const attempts = this.byAddress.get(address) ?? none();
    return Math.max(0, attempts.waitUntilMs - nowMs, this.node.waitUntilMs - nowMs);
  }

  failed(address: string, nowMs = Date.now()): void {
    const attempts = next(this.byAddress.get(address) ?? none(), FREE_PER_ADDRESS, LONGEST_WAIT_MS, nowMs);
    this.node = next(this.node, FREE_PER_NODE, LONGEST_NODE_WAIT_MS, nowMs);
    // The newest address is last, so that the oldest is forgotten first.
    this.byAddress.delete(address);
    this.byAddress.set(address, attempts);
    for (const oldest of this.byAddress.keys()) {
      if (this.byAddress.size <= MOST_ADDRESSES) break;
      this.byAddress.delete(oldest);
    }
  }

  succeeded(address: string): void {
    this.byAddress.delete(address);
  }
}

const none = (): Failures => ({ count: 0, lastMs: 0, waitUntilMs: 0 });

function next(before: Failures, free: number, longestMs: number, nowMs: number): Failures {
  const count = nowMs - before.lastMs > FORGET_MS ? 1 : before.count + 1;
  const waitMs = count < free ? 0 : Math.min(longestMs, 1000 * 2 ** Math.min(count - free, 30));
  return { count, lastMs: nowMs, waitUntilMs: nowMs + waitMs };
}
