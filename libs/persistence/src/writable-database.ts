import { isStorageFull } from '@libs/domain';
import type pg from 'pg';

/** Readiness is asked about once a second. */
const LOOK_MS = 2_000;
/** Larger than `work_mem`, so that PostgreSQL writes it to a file. Leaves nothing behind, and any role may do it. */
const PROBE = `begin; set local work_mem = '64kB'; set local statement_timeout = '5s';
  select count(*) from generate_series(1, 40000); rollback`;

/**
 * Whether PostgreSQL can write. A disk that filled up is noticed by the statements of the process. After that, this class tries a
 * write until one succeeds, so that a process without requests becomes ready again too.
 */
export class WritableDatabase {
  private isSuspected = false;
  private reason: string | null = null;
  private lookedAt = -Infinity;

  constructor(private readonly pool: () => Pick<pg.Pool, 'connect'>) {}

  /** Every failed statement of the process comes here. */
  note(error: unknown): void {
    if (!isStorageFull(error)) return;
    this.isSuspected = true;
    this.reason ??= 'PostgreSQL cannot write: its disk is full';
  }

  /** The reason why writes fail, or null. Rejects when the database does not respond. */
  async problem(): Promise<string | null> {
    if (!this.isSuspected || performance.now() - this.lookedAt < LOOK_MS) return this.reason;
    this.lookedAt = performance.now();
    if (await this.canWrite()) {
      this.isSuspected = false;
      this.reason = null;
    }
    return this.reason;
  }

  private async canWrite(): Promise<boolean> {
    const client = await this.pool().connect();
    try {
      await client.query(PROBE);
      client.release();
      return true;
    } catch (error) {
      // Without the connection, because its transaction is still open.
      client.release(true);
      if (isStorageFull(error)) return false;
      throw error;
    }
  }
}
