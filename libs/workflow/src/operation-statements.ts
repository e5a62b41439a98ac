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
export const row = (alias: string): string => `${COLUMNS.map((column) => `${alias}.${column}`).join(', ')},
  extract(epoch from now() - ${alias}.step_entered_at)::float8 as step_age_seconds`;

const FENCE = `id = $1 and lease_token = $2 and status = 'running'`;

/** The UPDATE that an event reports also takes its number, so the numbers follow the order of the moves. */
export const eventOf = (moved: string, event: string, detail: string, only = 'true'): string =>
  `insert into operation_events (operation_id, seq, event, step, status, attempt, detail)
   select id, event_seq, ${event}, step, status, attempt, ${detail} from ${moved} where ${only}`;

/** The step with the incident has ended, so the incident is closed. */
export const closeIncident = (ended: string): string =>
  `update incidents i set closed_at = now() from ${ended} where i.id = ${ended}.incident_id and i.closed_at is null`;

export const RENEW = statement(
  'operation.renew',
  `update operations set lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id = $1 and lease_token = $2 and status = 'running'`,
);

export const RELEASE = statement('operation.release', `update operations set lease_until = null where ${FENCE}`);

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

export const IS_BUSY = statement(
  'sweeper.busy',
  `select exists (select from operations where queue = any($1) and status in ('pending', 'running')) as is_busy`,
);

export const FIND_DUE = statement(
  'sweeper.due',
  `select id, queue, extract(epoch from now() - greatest(wake_at, lease_until))::float8 as overdue_seconds from operations
    where queue = any($1) and status in ('pending', 'running') and wake_at <= now() - make_interval(secs => $2)
      and (lease_until is null or lease_until < now())
    order by wake_at limit ${BATCH}`,
);
