import type { OperationId } from '@libs/domain';
import type { Database } from '@libs/persistence';
import type { OperationRow } from './operation-row.js';
import { END, HOP, NAP, RELEASE, RENEW, RETRY, STAND_STILL, TAKE } from './operation-statements.js';

export interface HopMove {
  to: string;
  memo: Record<string, unknown>;
  undo: readonly string[];
  undoing: boolean;
  /** The status of the ended step in the history. */
  as: 'succeeded' | 'failed' | 'undone' | 'skipped' | 'cancelled';
  error: string | null;
  reason: string | null;
  /** Seconds until an incident is opened; null: never. */
  deadlineSeconds: number | null;
}

export type EndStatus = 'succeeded' | 'failed' | 'cancelled';

/** The rows of operations. Every move is a compare-and-set on the lease token. */
export class OperationStore {
  constructor(private readonly database: Database) {}

  /** Returns the operation with a new lease. Null: it is not due, or another worker has the lease. */
  async take(id: OperationId): Promise<OperationRow | null> {
    const [row] = await this.database.query<OperationRow>(TAKE, [id]);
    return row ?? null;
  }

  /** Returns false when the lease is lost. */
  async renew(row: OperationRow): Promise<boolean> {
    return (await this.database.execute(RENEW, [row.id, row.lease_token])) === 1;
  }

  /** Returns the lease before it ends, without a move. */
  async release(row: OperationRow): Promise<void> {
    await this.database.execute(RELEASE, [row.id, row.lease_token]);
  }

  /** Returns the operation in its next step. Null: the lease is lost, and nothing was written. */
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

  /** `due`: a signal ended the nap at once. `asleep`: the nap started. `lost`: the lease is lost. */
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

  /** Opens the incident of a step that this release does not contain. False when it is open already, or the lease is lost. */
  async standStill(row: OperationRow): Promise<boolean> {
    return (await this.database.execute(STAND_STILL, [row.id, row.lease_token])) === 1;
  }

  /** Returns false when the lease is lost and nothing was written. */
  async end(row: OperationRow, status: EndStatus, reason: string | null): Promise<boolean> {
    const last = row.undoing ? 'undone' : status;
    return (await this.database.execute(END, [row.id, row.lease_token, status, reason, last])) === 1;
  }
}
