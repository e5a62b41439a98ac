import pLimit, { type LimitFunction } from 'p-limit';
import type { TenantId } from '@libs/domain';

/** Writes of one tenant that run at once in a process. The pool has 20 connections. */
export const MOST_WRITES_AT_ONCE = 4;

interface Turns {
  readonly limit: LimitFunction;
  /** Writes that run or wait. */
  writes: number;
}

/**
 * Lets a few writes of each tenant run at once. More writes of the tenant wait in memory. Writes that wait for a lock of their
 * tenant keep a connection, so without this limit one tenant could keep all connections of the pool.
 */
export class TenantTurns {
  private readonly turns = new Map<TenantId, Turns>();

  async run<T>(tenantId: TenantId, write: () => Promise<T>): Promise<T> {
    const turns = this.turns.get(tenantId) ?? { limit: pLimit(MOST_WRITES_AT_ONCE), writes: 0 };
    this.turns.set(tenantId, turns);
    turns.writes += 1;
    try {
      return await turns.limit(write);
    } finally {
      turns.writes -= 1;
      if (turns.writes === 0) this.turns.delete(tenantId);
    }
  }

  /** The number of tenants with writes that run or wait. */
  get size(): number {
    return this.turns.size;
  }
}
