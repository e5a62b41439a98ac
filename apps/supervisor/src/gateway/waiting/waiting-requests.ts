/** The end of a waiting request without a value: no newer value, or replaced by a newer request with the same key. */
export type Unanswered = 'nothing_new' | 'replaced';

interface Waiter {
  wake(): void;
  replace(): void;
}

/** How long a request waits, and whether its client has closed the connection. */
export interface Waiting {
  waitMs: number;
  closed: AbortSignal;
}

/**
 * Waiting requests, at most one for each key. A wake-up makes the request read again. The next request of a client reads first, so
 * a lost wake-up only delays it.
 */
export class WaitingRequests<Key> {
  private readonly waiters = new Map<Key, Waiter>();

  /** Wakes the request of this key. */
  wake(key: Key): void {
    this.waiters.get(key)?.wake();
  }

  wakeAll(): void {
    for (const waiter of this.waiters.values()) waiter.wake();
  }

  /** Returns the first value that `read` finds. `read` runs at once and after each wake-up, and returns null for nothing new. */
  async next<Value extends object>(
    key: Key,
    { waitMs, closed }: Waiting,
    read: () => Promise<Value | null>,
  ): Promise<Value | Unanswered> {
    const deadline = Date.now() + waitMs;
    for (;;) {
      // Starts waiting before the read, so that a change between the two also wakes the request.
      const woken = this.park(key, Math.max(0, deadline - Date.now()), closed);
      const value = await read().catch((error: unknown) => {
        woken.cancel();
        throw error;
      });
      if (value !== null) {
        woken.cancel();
        return value;
      }
      const reason = await woken.reason;
      if (reason === 'replaced') return 'replaced';
      if (reason === 'over' || closed.aborted) return 'nothing_new';
    }
  }

  private park(key: Key, waitMs: number, closed: AbortSignal) {
    this.waiters.get(key)?.replace();
    let settle: (reason: 'woken' | 'over' | 'replaced') => void = () => undefined;
    const reason = new Promise<'woken' | 'over' | 'replaced'>((resolve) => (settle = resolve));
    const timer = setTimeout(() => settle('over'), waitMs);
    const onClosed = (): void => settle('over');
    closed.addEventListener('abort', onClosed, { once: true });
    const waiter: Waiter = { wake: () => settle('woken'), replace: () => settle('replaced') };
    this.waiters.set(key, waiter);
    void reason.then(() => {
      clearTimeout(timer);
      closed.removeEventListener('abort', onClosed);
      if (this.waiters.get(key) === waiter) this.waiters.delete(key);
    });
    return { reason, cancel: () => settle('over') };
  }
}
