import { statement } from '@libs/persistence';

/** Duration of a lease in seconds. A worker renews it after each third of this time. */
export const LEASE_SECONDS = 15;

const COLUMNS = [
  'id, type, queue, tenant_id, division_id, environment_id, deployment_id, status, step, step_seq, step_entered_at',
  'attempt, memo, undo, undoing, lease_token, signal_seq, skip_step, cancel_reason, reason, incident_id, author_id',
  'api_key_id, trace_id, created_at',
]
  .join(', ')
  .split(', ');

/** The columns of an operation for the runner, with the age of its step by the database's clock. */
const row = (alias: string): string => `${COLUMNS.map((column) => `${alias}.${column}`).join(', ')},
  extract(epoch from now() - ${alias}.step_entered_at)::float8 as step_age_seconds`;

const FENCE = `id = $1 and lease_token = $2 and status = 'running'`;

/** The UPDATE that an event reports also takes its number, so the numbers follow the order of the moves. */
const eventOf = (moved: string, event: string, detail: string, only = 'true'): string =>
  `insert into operation_events (operation_id, seq, event, step, status, attempt, detail)
   select id, event_seq, ${event}, step, status, attempt, ${detail} from ${moved} where ${only}`;

/** The step with the incident has ended, so the incident is closed. */
const closeIncident = (ended: string): string =>
  `update incidents i set closed_at = now() from ${ended} where i.id = ${ended}.incident_id and i.closed_at is null`;

// Two workers may be woken for the same operation. The condition on the lease selects one; the token fences the other.
export const TAKE = statement(
  'operation.take',
  `update operations o set lease_token = lease_token + 1, lease_until = now() + make_interval(secs => ${LEASE_SECONDS}),
          status = 'running', started_at = coalesce(started_at, now()), step_started_at = coalesce(step_started_at, now())
    where id = $1 and status in ('pending', 'running') and wake_at <= now() and (lease_until is null or lease_until < now())
    returning ${row('o')}`,
);

export const RENEW = statement(
  'operation.renew',
  `update operations set lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id = $1 and lease_token = $2 and status = 'running'`,
);

export const RELEASE = statement('operation.release', `update operations set lease_until = null where ${FENCE}`);

// The history row, the event and the move are one statement, so a hop takes one round trip and one commit.
export const HOP = statement(
  'operation.hop',
  `with ended as (
     select id, step, step_seq, attempt, step_started_at, incident_id from operations where ${FENCE} for update
   ), history as (
     insert into operation_steps (operation_id, seq, name, status, attempts, started_at, finished_at, error)
     select id, step_seq, step, $7::text, attempt + 1, step_started_at, clock_timestamp(), $8::text from ended
   ), closed as (
     ${closeIncident('ended')}
   ), moved as (
     update operations o
        set step = $3, step_seq = o.step_seq + 1, step_entered_at = clock_timestamp(), step_started_at = clock_timestamp(),
            attempt = 0, memo = o.memo || $4::jsonb, undo = $5::text[], undoing = $6, last_error = null, skip_step = null,
            incident_id = null, reason = coalesce($9::text, case when $6 then o.reason end),
            deadline = now() + make_interval(secs => $10::float8), event_seq = o.event_seq + 1,
            lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
       from ended where o.id = ended.id
     returning o.*
   ), notified as (
     ${eventOf('moved', `'step'`, 'reason')}
   )
   select ${row('moved')} from moved`,
);

// A signal while the step ran has changed signal_seq: then the nap ends immediately. A nap with the same reason as the
// previous one creates no event.
export const NAP = statement(
  'operation.nap',
  `with moved as (
     update operations o
        set wake_at = case when o.signal_seq <> $3 then now() else now() + make_interval(secs => $4) end,
            lease_until = null, attempt = 0, last_error = null, reason = $5,
            event_seq = o.event_seq + (o.reason is distinct from $5)::int
       from (select id, event_seq from operations where ${FENCE} for update) before
      where o.id = before.id
     returning o.*, o.event_seq > before.event_seq as is_news
   ), notified as (
     ${eventOf('moved', `'waiting'`, 'reason', 'is_news')}
   )
   select wake_at <= now() as is_due from moved`,
);

export const RETRY = statement(
  'operation.retry',
  `with moved as (
     update operations o
        set wake_at = now() + make_interval(secs => $3), lease_until = null, attempt = o.attempt + 1, last_error = $4,
            event_seq = o.event_seq + (o.last_error is distinct from $4)::int
       from (select id, event_seq from operations where ${FENCE} for update) before
      where o.id = before.id
     returning o.*, o.event_seq > before.event_seq as is_news
   ), notified as (
     ${eventOf('moved', `'retry'`, 'last_error', 'is_news')}
   )
   select 1 from moved`,
);

export const END = statement(
  'operation.end',
  `with ended as (
     select id, step, step_seq, attempt, step_started_at, incident_id from operations where ${FENCE} for update
   ), history as (
     insert into operation_steps (operation_id, seq, name, status, attempts, started_at, finished_at)
     select id, step_seq, step, $5::text, attempt + 1, step_started_at, clock_timestamp() from ended
   ), closed as (
     ${closeIncident('ended')}
   ), moved as (
     update operations o set status = $3, reason = $4, finished_at = clock_timestamp(), lease_until = null,
            event_seq = o.event_seq + 1
       from ended where o.id = ended.id
     returning o.*
   ), notified as (
     ${eventOf('moved', `'ended'`, 'reason')}
   )
   select pg_notify('landlord_operations', id::text) from moved`,
);

// Neither wake-ups nor the sweeper can repair this, so it is an incident at once: one open row for the operation and
// its step.
export const STAND_STILL = statement(
  'operation.stand_still',
  `with stood as (
     select id, step from operations where ${FENCE} and incident_id is null for update
   ), opened as (
     insert into incidents (kind, subject, operation_id, detail)
     select 'unknown_step', 'operation ' || id || ' step ' || step, id, 'no worker knows step ' || step from stood
     on conflict (kind, subject) where closed_at is null do update set detail = excluded.detail
     returning id, operation_id
   ), moved as (
     update operations o set incident_id = opened.id, event_seq = o.event_seq + 1
       from opened where o.id = opened.operation_id
     returning o.*
   ), notified as (
     ${eventOf('moved', `'incident'`, `'no worker knows step ' || step`)}
   )
   select 1 from moved`,
);

// Indexes define which operations exclude each other. For each of them the caller receives the operation in the way.
export const START = statement(
  'operation.start',
  `with started as (
     insert into operations (type, queue, tenant_id, division_id, environment_id, deployment_id, changing, step, memo,
                             author_id, api_key_id, trace_id, event_seq, deadline)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10, $11, $12, 1, now() + make_interval(secs => $13))
     on conflict do nothing
     returning *
   ), notified as (
     ${eventOf('started', `'step'`, 'null')}
   )
   select id from started`,
);

// Leaves the lease unchanged. The worker with the lease finds its writes refused, and the deletion waits for the end of
// the lease.
export const SUPERSEDE = statement(
  'operation.supersede',
  `with ended as (
     update operations set status = 'cancelled', reason = $2, finished_at = now(), event_seq = event_seq + 1
      where deployment_id = $1 and status in ('pending', 'running')
      returning *
   ), history as (
     insert into operation_steps (operation_id, seq, name, status, attempts, started_at, finished_at)
     select id, step_seq, step, 'cancelled', attempt, step_started_at, now() from ended
   ), closed as (
     ${closeIncident('ended')}
   ), notified as (
     ${eventOf('ended', `'ended'`, 'reason')}
   )
   select id, greatest(0, extract(epoch from lease_until - now()))::float8 as busy_seconds,
          pg_notify('landlord_operations', id::text) from ended`,
);

const BATCH = 200;

export const OPEN_INCIDENTS = statement(
  'sweeper.incidents',
  `with late as (
     select id, step from operations
      where queue = any($1) and status in ('pending', 'running') and deadline < now() and incident_id is null
      limit ${BATCH} for update skip locked
   ), opened as (
     insert into incidents (kind, subject, operation_id, detail)
     select 'step_deadline_missed', 'operation ' || id || ' step ' || step, id, 'step ' || step || ' missed its deadline' from late
     on conflict (kind, subject) where closed_at is null do update set detail = excluded.detail
     returning id, operation_id
   ), moved as (
     update operations o set incident_id = opened.id, event_seq = o.event_seq + 1
       from opened where o.id = opened.operation_id
     returning o.*
   ), notified as (
     ${eventOf('moved', `'incident'`, `'step ' || step || ' missed its deadline'`)}
   )
   select id, step from moved`,
);

export const FIND_DUE = statement(
  'sweeper.due',
  `select id, queue, extract(epoch from now() - greatest(wake_at, lease_until))::float8 as overdue_seconds from operations
    where queue = any($1) and status in ('pending', 'running') and wake_at <= now() - make_interval(secs => $2)
      and (lease_until is null or lease_until < now())
    order by wake_at limit ${BATCH}`,
);
