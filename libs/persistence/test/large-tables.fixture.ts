/** With fewer rows PostgreSQL chooses other plans than for a large installation. */
const ROWS = 30_000;

const AUDIT = [
  `do $$
   declare month date;
   begin
     for back in 1..10 loop
       month := date_trunc('month', now()) - make_interval(months => back);
       execute format('create table %I partition of audit_entries_365 for values from (%L) to (%L)',
         'audit_entries_365_' || to_char(month, 'YYYY_MM'), month, month + interval '1 month');
     end loop;
   end $$`,
  `insert into audit_entries (retention_class, created_at, tenant_id, type, author_id, api_key_id, user_id, division_id,
     environment_id, deployment_id, correlation_id)
   select 365, now() - interval '300 days' * (1 - n::float / ${ROWS}), n % 10, case when n % 5000 = 7 then 'rare' else 'type ' || n % 7 end,
          n % 9, n % 20, case when n % 50 = 7 then n % 11 end, n % 30, n % 90, n % 300, md5((n / 2)::text)::uuid
     from generate_series(1, ${ROWS}) n`,
  `insert into audit_counters (tenant_id, division_id, day, type, retention_class, entries)
   select tenant_id, 0, created_at::date, type, 365, count(*) from audit_entries group by 1, 3, 4`,
  `insert into audit_unsealed select tenant_id, id, 365, created_at, type, division_id from audit_entries where id % 7 = 0`,
  `insert into audit_seals (tenant_id, sequence, retention_class, month, first_at, last_at, entry_ids, count, root_hash, previous_hash, hash)
   select tenant, sequence, 365, now(), now() - interval '1 day' * (300 - sequence), now() - interval '1 day' * (299 - sequence),
          array(select generate_series(1, 50)), 50, '', '', '' from generate_series(0, 9) tenant, generate_series(1, 299) sequence`,
];

/** One of sixty cells with five hundred deployments each. The looks of a Supervisor must not read the rows of the others. */
export const CELL = 'local';
/** Has a tenth of the deployments. */
export const LARGE_CELL = 'large';
const CELL_OF = `case when n % 60 = 7 then '${CELL}' when n % 10 = 3 then '${LARGE_CELL}' else 'cell ' || n % 60 end`;

/** Three hundred tenants with a hundred rows each. */
const LISTS = [
  `insert into cells (cell, url, agent_url, regions, cloud_drivers, broker_driver, broker_version, version)
   values ('${CELL}', 'u', 'u', '{*}', '{"aws": "local"}', 'embedded', '1', '1')`,
  `insert into divisions (tenant_id, name) select n / 100, 'division ' || n from generate_series(1, ${ROWS}) n`,
  `insert into environments (tenant_id, division_id, name)
   select n / 100, n / 10 * 10, 'environment ' || n from generate_series(1, ${ROWS}) n`,
  `insert into deployments (tenant_id, division_id, environment_id, name, code, variant, cloud, area, region, cell, tier, cluster,
     storage_type, storage_size, target_network_tput, network_scope, availability_mode, nodes_count, telemetry_days,
     monthly_compute, monthly_storage, pricing_version)
   select n / 100, n / 100 * 100, n / 10 * 10, 'deployment ' || n, 'c' || n, 'managed', 'aws', 'us', 'r', ${CELL_OF}, 'small', 'standalone',
          'network_drive', 100, 100, 'regional', 'single_az', 1, 14, 1, 1, '1' from generate_series(1, ${ROWS}) n`,
  `insert into deployment_runtimes (deployment_id, cell, status, peer_secret)
   select id, cell, 'initialized', 'x' from deployments`,
  `insert into roles (tenant_id, name, kind, permissions)
   select n / 100, 'role ' || n, 'api_key', '{}' from generate_series(1, ${ROWS}) n`,
  `insert into api_keys (tenant_id, name, secret_hash, role_id, user_id, expiry_at)
   select n / 100, 'key ' || n, decode(repeat('00', 32), 'hex'), n, n / 100, now() + interval '1 hour' * (n / 100)
     from generate_series(1, ${ROWS}) n`,
  `insert into metering_intervals (event_key, tenant_id, deployment_id, effective_at, shape, monthly_compute_usd,
     monthly_storage_usd, pricing_version)
   select n, n / 100, n / 10, now() - interval '1 day' * (n % 10), '{}', 1, 1, '1' from generate_series(1, ${ROWS}) n`,
];

/** Ten thousand deployments with two nodes each, and one or two minutes and lines per node. */
const TELEMETRY = [
  `insert into nodes (deployment_id, ordinal, name, role, broker_driver, broker_version, image_id, storage_type, storage_size, status,
     last_seen_at)
   select n / 2, 1 + n % 2, 'node', 'leader', 'embedded', '1', 'i', 'network_balanced', 100, 'running', now() from generate_series(2, 60001) n`,
  `insert into node_documents (node_id, timeline, generation, hash, spec) select id, 1, 1, 'h', '{}' from nodes`,
  `insert into backup_schedules (deployment_id, every_hours, keep, next_at)
   select n, 24, 3, now() + interval '1 day' from generate_series(1, 30000) n`,
  `insert into backups (deployment_id, operation_id, name, backup_type, status, region, expires_at, by_schedule)
   select n / 3, n, 'b', 'scheduled', 'completed', 'r', now() + interval '1 second' * n, true from generate_series(3, 90002) n`,
  `insert into cloud_resources (kind, name, deployment_id, driver, intent)
   select 'instance', 'i' || n, n / 2, 'local', 'present' from generate_series(2, 60001) n`,
  `insert into deployment_certificates (deployment_id, authority_id, serial, names, certificate, private_key, status, not_before, not_after)
   select n, 1, n, '{}', 'c', 'k', 'active', now(), now() + interval '80 days' from generate_series(1, 30000) n`,
  `insert into operation_events (operation_id, seq, at, event, step, status, attempt)
   select n, 1, now() - interval '29 days' * (1 - n / 60000.0), 'step', 's', 'running', 0 from generate_series(1, 60000) n`,
  `insert into node_logs (deployment_id, node_id, at, runtime, level, message)
   select n / 2 % 10000, n % 20000, now() - interval '1 second' * (n / 2000), case n % 7 when 0 then 'agent' else 'broker' end,
          case n % 11 when 0 then 'error' when 1 then 'warn' else 'info' end, 'line ' || n from generate_series(1, ${ROWS}) n`,
  `insert into node_heartbeats (deployment_id, minute, node_id, beats, last_at, status)
   select n / 2 % 10000, date_trunc('minute', now()) - interval '1 minute' * (n / 20000), n % 20000, 6, now(), 'running'
     from generate_series(1, ${ROWS}) n`,
  ...['node_metrics', 'node_metric_rollups'].map(
    (table) => `
      insert into ${table} (deployment_id, node_id, runtime, minute, clients, bytes_in, bytes_out)
      select n / 2 % 10000, n % 20000, 'broker', date_trunc('minute', now()) - interval '5 minutes' * (n / 20000), 1, n, n
        from generate_series(1, ${ROWS}) n`,
  ),
  `insert into transfer_marks (node_id, deployment_id, minute, bytes)
   select n, n / 2, date_trunc('minute', now()) - interval '20 minutes', n from generate_series(0, 19999) n`,
];

/**
 * Five thousand tenants with four channels each, half of them with two subscriptions, and their deliveries of a month. A few
 * channel queues are due, a few fail. Events of three months, nearly all dispatched. `channel.forget` is not checked: it reads
 * all channels once an hour on purpose.
 */
const CHANNELS = [
  `insert into notification_channels (tenant_id, division_id, channel, name, created_at)
   select n / 4, case n % 4 when 3 then n / 4 * 100 end, 'webhook', 'channel ' || n, now() - interval '1 year'
     from generate_series(1, 20000) n`,
  `insert into notification_subscriptions (tenant_id, channel_id, message_types)
   select tenant_id, id, '{node_reachable}' from notification_channels, generate_series(1, 2) where id % 2 = 0`,
  `insert into notification_lanes (channel_id, last_sequence, due_at, failing_since)
   select id, 5, case when id % 1000 = 0 then now() end, case when id % 2500 = 0 then now() end from notification_channels`,
  `insert into notification_deliveries (channel_id, sequence, message_id, message_type, tenant_id, subject, content, data, event_at,
     status, attempts, delivered_at)
   select n % 20000, n / 20000, gen_random_uuid(), 'node_reachable', n % 20000 / 4, 's', 'c', '{}', now(),
          case when n % 100 < 2 then 'pending' else 'delivered' end, n % 100, case when n % 100 >= 2 then now() end
     from generate_series(1, ${ROWS}) n`,
  `insert into outbox (event_key, type, tenant_id, subject, data, trace_id, created_at, dispatched_at)
   select 'event ' || n, 'node_reachable', n % 5000, 's', '{}', 't', now() - interval '89 days' * (1 - n::float / ${ROWS}),
          case when n < ${ROWS} - 50 then now() - interval '89 days' * (1 - n::float / ${ROWS}) end
     from generate_series(1, ${ROWS}) n`,
];

/**
 * Five thousand deployments with four private connections and four deleted ones each, and ten consumers for some connections. A
 * few are in creation.
 */
const NETWORK = [
  `insert into private_connections (deployment_id, cell, kind, name, spec, status, deleted_at, looked_at)
   select n / 8, 'local', (array['vpc_peering', 'network_peering', 'endpoint_service', 'service_attachment'])[1 + n % 4], 'Peering ' || n, '{}',
          'active', case when n % 8 < 4 then now() end, now() - interval '1 millisecond' * (n % 5000) from generate_series(8, 40007) n`,
  `insert into private_connection_consumers (private_connection_id, connection_id, owner, status)
   select n / 10, 'psc-' || n, 'their-project', 'accepted' from generate_series(10, 50009) n`,
  `insert into operations (type, queue, changing, step, tenant_id, division_id, environment_id, deployment_id, trace_id, memo, status,
     finished_at)
   select 'create_private_connection', 'local', false, 'created', n / 800, n / 800 * 100, n / 80 * 10, n / 8, 't',
          jsonb_build_object('private_connection_id', n), case when n % 400 = 0 then 'running' else 'succeeded' end,
          case when n % 400 <> 0 then now() end from generate_series(8, 40007) n`,
];

/**
 * Twelve months of ten thousand tenants, nearly all invoiced and paid, with three deployments per report. Ten days with
 * transfer in every hour. The two statements that lock the accounts name no table. `operator.months` sums whole months on
 * purpose.
 */
const BILLING = [
  `insert into tenants (name, owner_id, plan) select 'tenant ' || n, n, 'pro' from generate_series(1, 10000) n`,
  `insert into payment_methods (tenant_id, provider) select id, 'manual' from tenants`,
  `insert into billing_infos (tenant_id, company) select id, 'company' from tenants`,
  `delete from billing_months`,
  `insert into billing_months (month, settled_at, invoices)
   select date '2025-06-01' + make_interval(months => n), case when n < 11 then now() end, 10000 from generate_series(0, 11) n`,
  `insert into billing_reports (tenant_id, month, is_final)
   select 1 + n % 10000, date '2025-06-01' + make_interval(months => n / 10000), true from generate_series(0, 119999) n`,
  `insert into billing_report_lines (report_id, deployment_id, deployment_name, deployment_code, division_id, division_name, environment_id,
     environment_name, compute_hours, storage_gb_hours, transfer_gb, compute_usd, storage_usd, transfer_usd, periods)
   select r.id, r.tenant_id * 100 + n, 'd', 'c', r.tenant_id * 100, 'v', r.tenant_id * 100, 'e', 1, 1, 1, 1, 1, 1, '[]'
     from billing_reports r, generate_series(1, 3) n`,
  `insert into invoices (report_id, tenant_id, month, status, number, provider, bill_to, next_attempt_at)
   select id, tenant_id, month, status, case when status <> 'draft' then to_char(month, 'YYYY-MM-') || lpad(tenant_id::text, 6, '0') end,
          'manual', '{}', case when status = 'failed' and id % 10 = 0 then now() end
     from billing_reports, lateral (select case when month < '2026-05-01' then case when id % 100 = 0 then 'failed' else 'paid' end
                                                when tenant_id <= 100 then 'draft' else 'pending' end as status) s`,
  `insert into metering_transfers (tenant_id, deployment_id, effective_at, bytes, usd_per_gb, pricing_version)
   select n % 1000, n % 1000 * 100 + n % 100, now() - interval '1 hour' * (n / 417), n, 0.01, '1' from generate_series(1, ${ROWS}) n`,
];

/** Fills the tables of an empty database. The rows refer to rows that do not exist. */
export const LARGE_TABLES = [...AUDIT, ...LISTS, ...TELEMETRY, ...CHANNELS, ...BILLING, ...NETWORK];
