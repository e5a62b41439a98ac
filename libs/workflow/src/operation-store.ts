import type { OperationId } from '@libs/domain';
import type { Database, NumberedRow } from '@libs/persistence';
import { END, HOP, NAP, RETRY, TAKE, type Move } from './operation-moves.js';
import type { OperationRow } from './operation-row.js';
import { RELEASE, RENEW, STAND_STILL } from './operation-statements.js';

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

interface Napped extends NumberedRow {
  is_due: boolean;
}

/** The values that fence a move. */
const fenceOf = ({ id, lease_token, step_seq }: OperationRow): unknown[] => [id, lease_token, step_seq];

/**
 * The rows of operations. Every move is a compare-and-set on the lease token and the step. Moves of one turn of the event loop
 * share one statement and one commit, outside a transaction.
 */
export class OperationStore {
  constructor(private readonly database: Database) {}

  /** Returns the operation with a new lease. Null: it is not due, or another worker has the lease. */
  async take(id: OperationId): Promise<OperationRow | null> {
    return this.move<OperationRow>(TAKE, [id]);
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
    const { to, undoing, as, error, reason, deadlineSeconds } = move;
    const [memo, undo] = [JSON.stringify(move.memo), JSON.stringify(move.undo)];
    return this.move<OperationRow>(HOP, [...fenceOf(row), to, memo, undo, undoing, as, error, reason, deadlineSeconds]);
  }

  /** `due`: a signal ended the nap at once. `asleep`: the nap started. `lost`: the lease is lost. */
  async nap(row: OperationRow, seconds: number, reason: string): Promise<'due' | 'asleep' | 'lost'> {
    const napped = await this.move<Napped>(NAP, [...fenceOf(row), row.signal_seq, seconds, reason]);
    if (!napped) return 'lost';
    return napped.is_due ? 'due' : 'asleep';
  }

  async retry(row: OperationRow, seconds: number, error: string): Promise<void> {
    await this.move<NumberedRow>(RETRY, [...fenceOf(row), seconds, error]);
  }

  /** Opens the incident of a step that this release does not contain. False when it is open already, or the lease is lost. */
  async standStill(row: OperationRow): Promise<boolean> {
    return (await this.database.execute(STAND_STILL, [row.id, row.lease_token])) === 1;
  }

  /** Returns false when the lease is lost and nothing was written. */
  async end(row: OperationRow, status: EndStatus, reason: string | null): Promise<boolean> {
    const last = row.undoing ? 'undone' : status;
    return (await this.move<NumberedRow>(END, [...fenceOf(row), status, reason, last])) !== null;
  }

  /** Null: the fence refused the move. */
  private async move<Row extends NumberedRow>(
    { batched, alone }: Move,
    values: readonly unknown[],
  ): Promise<Row | null> {
    const moved = this.database.isInTransaction ? undefined : await this.database.batched<Row>(batched, values);
    if (moved) return moved;
    return this.database.first<Row>(
      alone,
      values.map((value) => [value]),
    );
  }
}
