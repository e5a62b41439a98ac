import { statement, type Statement } from '@libs/persistence';
import { closeIncident, eventOf, LEASE_SECONDS, row } from './operation-statements.js';

/**
 * One move in two forms. Both take arrays, one element for each operation, and return a row with the number `n` of each moved
 * operation. `together` moves many operations with one statement and one commit. It skips an operation whose row another
 * transaction holds, because the operations of other tenants must not wait for that transaction. `alone` waits for the row.
 */
export interface Move {
  readonly batched: Statement;
  readonly alone: Statement;
}

/** How a statement locks rows. Ordered by id, so that two statements that move the same operations cannot deadlock. */
const BATCHED = 'order by o.id for update of o skip locked';
const ALONE = 'order by o.id for update of o';

/** The first three values of every move of a leased operation. The step is part of the fence: no move happens twice. */
const LEASED = `o.id = i.id and o.lease_token = i.token and o.step_seq = i.seq and o.status = 'running'`;

// Two workers may be woken for the same operation. The condition on the lease selects one; the token fences the other.
const take = (lock: string): string =>
  `with due as materialized (
     select i.n, o.id from unnest($1::bigint[]) with ordinality as i(id, n) join operations o on o.id = i.id
      where o.status in ('pending', 'running') and o.wake_at <= now() and (o.lease_until is null or o.lease_until < now())
      ${lock}
   )
   update operations o set lease_token = lease_token + 1, lease_until = now() + make_interval(secs => ${LEASE_SECONDS}),
          status = 'running', started_at = coalesce(started_at, now()), step_started_at = coalesce(step_started_at, now())
     from due where o.id = due.id returning due.n, ${row('o')}`;
export const TAKE: Move = {
  batched: statement('operation.take_together', take(BATCHED)),
  alone: statement('operation.take', take(ALONE)),
};

// The history row, the event and the move are one statement, so a hop takes one round trip and one commit.
const hop = (lock: string): string =>
  `with ended as materialized (
     select i.*, o.step, o.step_seq, o.attempt, o.step_started_at, o.incident_id
       from unnest($1::bigint[], $2::bigint[], $3::int[], $4::text[], $5::jsonb[], $6::jsonb[], $7::boolean[], $8::text[],
                   $9::text[], $10::text[], $11::float8[])
            with ordinality as i(id, token, seq, next, memo, undo, undoing, ended_as, error, reason, deadline_seconds, n)
       join operations o on ${LEASED} ${lock}
   ), history as (
     insert into operation_steps (operation_id, seq, name, status, attempts, started_at, finished_at, error)
     select id, step_seq, step, ended_as, attempt + 1, step_started_at, clock_timestamp(), error from ended
   ), closed as (
     ${closeIncident('ended')}
   ), moved as (
     update operations o
        set step = e.next, step_seq = o.step_seq + 1, step_entered_at = clock_timestamp(), step_started_at = clock_timestamp(),
            attempt = 0, memo = o.memo || e.memo, undo = array(select jsonb_array_elements_text(e.undo)), undoing = e.undoing,
            last_error = null, skip_step = null, incident_id = null,
            reason = coalesce(e.reason, case when e.undoing then o.reason end),
            deadline = now() + make_interval(secs => e.deadline_seconds), event_seq = o.event_seq + 1,
            lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
       from ended e where o.id = e.id
     returning e.n, o.*
   ), notified as (
     ${eventOf('moved', `'step'`, 'reason')}
   )
   select moved.n, ${row('moved')} from moved`;
export const HOP: Move = {
  batched: statement('operation.hop_together', hop(BATCHED)),
  alone: statement('operation.hop', hop(ALONE)),
};

// A signal while the step ran has changed signal_seq: then the nap ends immediately. A nap with the same reason as the
// previous one creates no event.
const nap = (lock: string): string =>
  `with before as materialized (
     select i.*, o.event_seq
       from unnest($1::bigint[], $2::bigint[], $3::int[], $4::bigint[], $5::float8[], $6::text[])
            with ordinality as i(id, token, seq, signal_seq, seconds, reason, n)
       join operations o on ${LEASED} ${lock}
   ), moved as (
     update operations o
        set wake_at = case when o.signal_seq <> b.signal_seq then now() else now() + make_interval(secs => b.seconds) end,
            lease_until = null, attempt = 0, last_error = null, reason = b.reason,
            event_seq = o.event_seq + (o.reason is distinct from b.reason)::int
       from before b where o.id = b.id
     returning b.n, o.*, o.event_seq > b.event_seq as is_news
   ), notified as (
     ${eventOf('moved', `'waiting'`, 'reason', 'is_news')}
   )
   select n, wake_at <= now() as is_due from moved`;
export const NAP: Move = {
  batched: statement('operation.nap_together', nap(BATCHED)),
  alone: statement('operation.nap', nap(ALONE)),
};

const retry = (lock: string): string =>
  `with before as materialized (
     select i.*, o.event_seq
       from unnest($1::bigint[], $2::bigint[], $3::int[], $4::float8[], $5::text[])
            with ordinality as i(id, token, seq, seconds, error, n)
       join operations o on ${LEASED} ${lock}
   ), moved as (
     update operations o
        set wake_at = now() + make_interval(secs => b.seconds), lease_until = null, attempt = o.attempt + 1, last_error = b.error,
            event_seq = o.event_seq + (o.last_error is distinct from b.error)::int
       from before b where o.id = b.id
     returning b.n, o.*, o.event_seq > b.event_seq as is_news
   ), notified as (
     ${eventOf('moved', `'retry'`, 'last_error', 'is_news')}
   )
   select n from moved`;
export const RETRY: Move = {
  batched: statement('operation.retry_together', retry(BATCHED)),
  alone: statement('operation.retry', retry(ALONE)),
};

const end = (lock: string): string =>
  `with ended as materialized (
     select i.*, o.step, o.step_seq, o.attempt, o.step_started_at, o.incident_id
       from unnest($1::bigint[], $2::bigint[], $3::int[], $4::text[], $5::text[], $6::text[])
            with ordinality as i(id, token, seq, end_status, reason, ended_as, n)
       join operations o on ${LEASED} ${lock}
   ), history as (
     insert into operation_steps (operation_id, seq, name, status, attempts, started_at, finished_at)
     select id, step_seq, step, ended_as, attempt + 1, step_started_at, clock_timestamp() from ended
   ), closed as (
     ${closeIncident('ended')}
   ), moved as (
     update operations o set status = e.end_status, reason = e.reason, finished_at = clock_timestamp(), lease_until = null,
            event_seq = o.event_seq + 1
       from ended e where o.id = e.id
     returning e.n, o.*
   ), notified as (
     ${eventOf('moved', `'ended'`, 'reason')}
   )
   select n, pg_notify('landlord_operations', id::text) from moved`;
export const END: Move = {
  batched: statement('operation.end_together', end(BATCHED)),
  alone: statement('operation.end', end(ALONE)),
};
