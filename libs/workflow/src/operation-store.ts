import type { Database } from '@libs/persistence';
import type { OperationRow } from './operation-row.js';
import { END, HOP, NAP, RELEASE, RENEW, RETRY, STAND_STILL, TAKE } from './operation-statements.js';

export interface HopMove {
  to: string;
  memo: Record<string, unknown>;
  undo: readonly string[];
  undoing: boolean;
  /** How the step that ends is remembered. */
  as: 'succeeded' | 'failed' | 'undone' | 'skipped' | 'cancelled';
  error: string | null;
  reason: string | null;
  /** Seconds until an incident is opened; null for never. */
  deadlineSeconds: number | null;
}

export type EndStatus = 'succeeded' | 'failed' | 'cancelled';

/** The rows of operations, moved by compare-and-set on the lease token only. */
export class OperationStore {
  constructor(private readonly database: Database) {}

  /** The operation with a fresh lease, or null when it is not due or someone else holds it. */
  async take(id: number): Promise<OperationRow | null> {
    const [row] = await this.database.query<OperationRow>(TAKE, [id]);
    return row ?? null;
  }

  /** False when the lease is lost. */
  async renew(row: OperationRow): Promise<boolean> {
    return (await this.database.execute(RENEW, [row.id, row.lease_token])) === 1;
  }

  /** Gives the lease back before its time, with nothing moved. */
  async release(row: OperationRow): Promise<void> {
    await this.database.execute(RELEASE, [row.id, row.lease_token]);
  }

  /** The operation in its next step, or null when the lease is lost and nothing was written. */
  async hop(row: OperationRow, move: HopMove): Promise<OperationRow | null> {
    const memo = JSON.stringify(move.memo);
    const values = [
      row.id,
      row.lease_token,
      move.to,
      memo,
      move.undo,
      move.undoing,
      move.as,
      move.error,
      move.reason,
      move.deadlineSeconds,
    ];
    const [next] = await this.database.query<OperationRow>(HOP, values);
    return next ?? null;
  }

  /** `due` when a signal ended the nap at once, `asleep`, or `lost` with the lease. */
  async nap(row: OperationRow, seconds: number, reason: string): Promise<'due' | 'asleep' | 'lost'> {
    const [napped] = await this.database.query<{ is_due: boolean }>(NAP, [
      row.id,
      row.lease_token,
      row.signal_seq,
      seconds,
      reason,
    ]);
    if (!napped) return 'lost';
    return napped.is_due ? 'due' : 'asleep';
  }

  async retry(row: OperationRow, seconds: number, error: string): Promise<void> {
    await this.database.execute(RETRY, [row.id, row.lease_token, seconds, error]);
  }

  /** Opens the incident of a step that nobody here knows; false when it is open already, or the lease is lost. */
  async standStill(row: OperationRow): Promise<boolean> {
    return (await this.database.execute(STAND_STILL, [row.id, row.lease_token])) === 1;
  }

  /** False when the lease is lost and nothing was written. */
  async end(row: OperationRow, status: EndStatus, reason: string | null): Promise<boolean> {
    const last = row.undoing ? 'undone' : status;
    return (await this.database.execute(END, [row.id, row.lease_token, status, reason, last])) === 1;
  }
}
