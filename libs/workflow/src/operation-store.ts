import { statement, type Database } from '@libs/persistence';
import type { OperationRow } from './operation-row.js';

/** Seconds a lease lasts; renewed every third of it. */
export const LEASE_SECONDS = 15;

const COLUMNS = [
  'id, type, queue, tenant_id, division_id, environment_id, deployment_id, status, step, step_seq, step_entered_at',
  'attempt, memo, undo, undoing, lease_token, signal_seq, reason, incident_id, author_id, api_key_id, trace_id, created_at',
]
  .join(', ')
  .split(', ');

/** What a statement on `operations o` answers: the row, and the age of its step by the database's clock. */
const RETURNING = `returning ${COLUMNS.map((column) => `o.${column}`).join(', ')},
  extract(epoch from now() - o.step_entered_at)::float8 as step_age_seconds`;

// Two workers may be rung for the same operation: the condition on the lease picks one, the token outs the other.
const TAKE = statement(
  'operation.take',
  `update operations o set lease_token = lease_token + 1, lease_until = now() + make_interval(secs => ${LEASE_SECONDS}),
          status = 'running', started_at = coalesce(started_at, now()), step_started_at = coalesce(step_started_at, now())
    where id = $1 and status in ('pending', 'running') and wake_at <= now() and (lease_until is null or lease_until < now())
    ${RETURNING}`,
);

const RENEW = statement(
  'operation.renew',
  `update operations set lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id = $1 and lease_token = $2 and status = 'running'`,
);

const FENCE = `id = $1 and lease_token = $2 and status = 'running'`;

// The history row and the move are one statement, so that a hop costs one round trip and one commit.
const HOP = statement(
  'operation.hop',
  `with ended as (
     select id, step, step_seq, attempt, step_started_at, last_error from operations where ${FENCE} for update
   ), history as (
     insert into operation_steps (operation_id, seq, name, status, attempts, started_at, finished_at, error)
     select id, step_seq, step, $7::text, attempt + 1, step_started_at, clock_timestamp(), $8::text from ended
   )
   update operations o
      set step = $3, step_seq = o.step_seq + 1, step_entered_at = clock_timestamp(), step_started_at = clock_timestamp(),
          attempt = 0, memo = o.memo || $4::jsonb, undo = $5::text[], undoing = $6, last_error = null,
          incident_id = null, reason = coalesce($9::text, case when $6 then o.reason end),
          deadline = now() + make_interval(secs => $10::float8),
          lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
     from ended where o.id = ended.id
   ${RETURNING}`,
);

// A signal that came while the step ran moved signal_seq: then the nap is over before it begins.
const NAP = statement(
  'operation.nap',
  `update operations
      set wake_at = case when signal_seq <> $3 then now() else now() + make_interval(secs => $4) end,
          lease_until = null, attempt = 0, last_error = null, reason = $5
    where ${FENCE} returning wake_at <= now() as is_due`,
);

const RETRY = statement(
  'operation.retry',
  `update operations
      set wake_at = now() + make_interval(secs => $3), lease_until = null, attempt = attempt + 1, last_error = $4
    where ${FENCE}`,
);

const END = statement(
  'operation.end',
  `with ended as (
     select id, step, step_seq, attempt, step_started_at from operations where ${FENCE} for update
   ), history as (
     insert into operation_steps (operation_id, seq, name, status, attempts, started_at, finished_at)
     select id, step_seq, step, $5::text, attempt + 1, step_started_at, clock_timestamp() from ended
   )
   update operations o set status = $3, reason = $4, finished_at = clock_timestamp(), lease_until = null
     from ended where o.id = ended.id
   returning pg_notify('landlord_operations', o.id::text)`,
);

export interface HopMove {
  to: string;
  memo: Record<string, unknown>;
  undo: readonly string[];
  undoing: boolean;
  /** How the step that ends is remembered. */
  as: 'succeeded' | 'failed' | 'undone';
  error: string | null;
  reason: string | null;
  /** Seconds until an incident is opened; null for never. */
  deadlineSeconds: number | null;
}

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

  /** False when the lease is lost and nothing was written. */
  async end(row: OperationRow, status: 'succeeded' | 'failed', reason: string | null): Promise<boolean> {
    const last = row.undoing ? 'undone' : status;
    return (await this.database.execute(END, [row.id, row.lease_token, status, reason, last])) === 1;
  }
}
