// The audit and the telemetry of deployments `:from + 1` to `:until`.
import { pastMonths } from '../past-months.mjs';

const DEPLOYMENTS = `generate_series(:from + 1, :until) g`;
const NODES = `${DEPLOYMENTS} cross join lateral generate_series(1, 1 + 2 * (g % 2)) k`;
const TENANT = `case when g % 10 = 0 then :first else :first + 1 + g / 100 end`;
const DIVISION = `(case when g % 10 = 0 then :first::bigint * 10 + g / 10 % 10 else (:first + 1 + g / 100)::bigint * 10 + g % 3 end)`;

/** The partitions of the past year for the audit. Those of telemetry exist from yesterday. */
export const MONTHS_AND_DAYS = [
  pastMonths(12),
  `delete from billing_months`,
  `insert into billing_months (month, settled_at)
   select date_trunc('month', now()) - make_interval(months => n), now() from generate_series(2, 13) n`,
  `update telemetry_rollup set rolled_up_to = date_trunc('hour', now()) - interval '2 hours'`,
];

/** Spread over a year, ten types, and the counters that the seals would have written. */
export const AUDIT = [
  `insert into audit_entries (retention_class, created_at, tenant_id, type, author_id, author_name, api_key_id, api_key_name, division_id, division_name,
     environment_id, environment_name, deployment_id, deployment_name, data, correlation_id)
   select 365, now() - interval '360 days' * (1 - (k - random()) / :each), ${TENANT},
          (array['division_created', 'division_updated', 'environment_created', 'environment_updated', 'environment_deleted', 'deployment_created',
            'deployment_initialized', 'deployment_deleted', 'operation_failed', 'api_key_created'])[1 + k % 10],
          case when k % 5 = 0 then 1 + k % 3 end, 'author', case when k % 5 = 1 then 1 + k % 3 end, 'key', ${DIVISION}, 'division',
          ${DIVISION} * 10 + g / 3 % 3, 'environment', :first + g, 'deployment ' || g, '{"name": "thing"}', gen_random_uuid()
     from generate_series(1, :each) k, ${DEPLOYMENTS}`,
  `insert into audit_counters as c (tenant_id, division_id, day, type, retention_class, entries)
   select e.tenant_id, counter.id, e.created_at::date, e.type, e.retention_class, count(*)
     from audit_entries e cross join lateral (values (0), (e.division_id)) counter (id)
    where e.deployment_id > :first + :from and e.deployment_id <= :first + :until group by 1, 2, 3, 4, 5
   on conflict (tenant_id, division_id, day, type, retention_class) do update set entries = c.entries + excluded.entries`,
];

/** Two minutes of each node in the hour that is rolled up next, and a line of its log. */
export const TELEMETRY = [
  `insert into node_heartbeats (deployment_id, minute, node_id, beats, last_at, status)
   select :first + g, date_trunc('hour', now()) - interval '2 hours' + interval '1 minute' * m, (:first + g)::bigint * 4 + k, 6, now(), 'running'
     from ${NODES}, generate_series(1, 1) m`,
  `insert into node_metrics (deployment_id, node_id, runtime, minute, cpu_percent, memory_bytes, disk_bytes, clients, messages_in, messages_out, bytes_in, bytes_out)
   select :first + g, (:first + g)::bigint * 4 + k, 'broker', date_trunc('hour', now()) - interval '2 hours' + interval '1 minute' * m, 10, 1e8, 1e9, 5, m, m,
          1000 * m, 1000 * m from generate_series(1, 2) m, ${NODES}`,
  `insert into node_metric_rollups (deployment_id, node_id, runtime, minute, cpu_percent, memory_bytes, disk_bytes, clients, messages_in, bytes_in, bytes_out)
   select :first + g, (:first + g)::bigint * 4 + k, 'broker', date_trunc('hour', now()) - interval '4 hours' + interval '5 minutes' * m, 10, 1e8, 1e9, 5, m, 1000, 1000
     from generate_series(1, 1) m, ${NODES}`,
  `insert into node_logs (deployment_id, node_id, at, runtime, level, message)
   select :first + g, (:first + g)::bigint * 4 + k, now() - interval '1 hour' * random(), 'broker', case when m = 1 then 'warn' else 'info' end,
          'a line of the log of about eighty characters, as brokers write them every day ' || g
     from ${NODES}, generate_series(1, 1) m`,
];
