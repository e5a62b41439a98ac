// The rows of deployments `:from + 1` to `:until`. `g` is the number of a deployment, and `:first + g` its id.

const DEPLOYMENTS = `generate_series(:from + 1, :until) g`;
/** The number of the small tenant, whose id is one more. Zero for the large tenant. */
const TENANT = `case when g % 10 = 0 then :first else :first + 1 + g / 100 end`;
const DIVISION = `(case when g % 10 = 0 then :first::bigint * 10 + g / 10 % 10 else (:first + 1 + g / 100)::bigint * 10 + g % 3 end)`;
const ENVIRONMENT = `(${DIVISION} * 10 + g / 3 % 3)`;
const CELL = `case when g % 10 = 0 then 'large' else 'cell-' || g / 1000 end`;
/** The numbers of the small tenants that begin in this stage. */
const NEW_TENANTS = `generate_series(:from / 100, :until / 100) n where n >= case when :from = 0 then 0 else :from / 100 + 1 end`;
const NODES = `${DEPLOYMENTS} cross join lateral generate_series(1, 1 + 2 * (g % 2)) k`;
/** One of twenty deployments is deleted. */
const IS_DELETED = `g % 20 = 3`;
/** The deployments are as old as their number says, up to a year. */
const CREATED = `now() - interval '365 days' * (1 - random())`;

export const PEOPLE = [
  `insert into users (id, email, name, password_hash, email_verified_at) overriding system value
   select :first + 1 + n, 'owner-' || n || '@growth.test', 'Owner', 'none', now() from ${NEW_TENANTS}`,
  `insert into tenants (id, name, owner_id, plan) overriding system value
   select :first + 1 + n, 'tenant ' || n, :first + 1 + n, 'enterprise' from ${NEW_TENANTS}`,
  `insert into tenants (id, name, owner_id, plan) overriding system value values (:first, 'large', 1, 'enterprise') on conflict do nothing`,
  `insert into members (tenant_id, user_id) select :first + 1 + n, :first + 1 + n from ${NEW_TENANTS}`,
  `insert into roles (id, tenant_id, name, kind, permissions) overriding system value
   select :first + 1 + n, :first + 1 + n, 'role', 'api_key', '{}' from ${NEW_TENANTS}`,
  `insert into api_keys (id, tenant_id, name, secret_hash, role_id, user_id, expiry_at) overriding system value
   select (:first + 1 + n) * 3 + k, :first + 1 + n, 'key ' || k, sha256(convert_to(n || ' ' || k, 'UTF8')), :first + 1 + n, :first + 1 + n,
          now() + interval '300 days' * random() from generate_series(1, 3) k, ${NEW_TENANTS}`,
  `insert into mails (message_id, recipient, subject, body, status, attempts, ended_at)
   select 'm-' || :until || '-' || g, 'a@growth.test', 's', 'b', 'delivered', 1, now() - interval '20 hours' * random() from ${DEPLOYMENTS}`,
];

export const PLACES = [
  `insert into divisions (id, tenant_id, name) overriding system value
   select (:first + 1 + n)::bigint * 10 + k, :first + 1 + n, 'division ' || k from generate_series(0, 2) k, ${NEW_TENANTS}`,
  `insert into environments (id, tenant_id, division_id, name) overriding system value
   select ((:first + 1 + n)::bigint * 10 + k) * 10 + e, :first + 1 + n, (:first + 1 + n)::bigint * 10 + k, 'environment ' || e
     from generate_series(0, 2) k, generate_series(0, 2) e, ${NEW_TENANTS}`,
  `insert into divisions (id, tenant_id, name) overriding system value
   select :first::bigint * 10 + k, :first, 'division ' || k from generate_series(0, 9) k on conflict do nothing`,
  `insert into environments (id, tenant_id, division_id, name) overriding system value
   select (:first::bigint * 10 + k) * 10 + e, :first, :first::bigint * 10 + k, 'environment ' || e
     from generate_series(0, 9) k, generate_series(0, 2) e on conflict do nothing`,
  `insert into cells (cell, url, agent_url, regions, cloud_drivers, broker_driver, broker_version, version, features)
   select distinct ${CELL}, 'http://c', 'http://c', '{*}'::text[], '{"aws": "local", "gcp": "local"}'::jsonb, 'embedded', '1', '1',
          '{"aws": {"encryption": "real"}, "gcp": {"encryption": "real"}}'::jsonb from ${DEPLOYMENTS} on conflict do nothing`,
  `insert into deployments (id, tenant_id, division_id, environment_id, name, code, variant, cloud, area, region, cell, tier, cluster, managed_tier,
     storage_type, storage_size, target_network_tput, network_scope, availability_mode, nodes_count, telemetry_days, spend_limit,
     monthly_compute, monthly_storage, pricing_version, features, created_at, deletion_requested_at) overriding system value
   select :first + g, ${TENANT}, ${DIVISION}, ${ENVIRONMENT}, 'deployment ' || g, 'c' || g, 'managed', (array['aws', 'gcp'])[1 + g % 2], 'us',
          'us-east-' || g % 4, ${CELL}, (array['small', 'medium', 'large'])[1 + g % 3], case when g % 2 = 1 then 'cluster' else 'standalone' end,
          'standard', 'network_balanced', 100, 5000, 'same_region', 'single_az', 1 + 2 * (g % 2), 14, case when g % 50 = 0 then 100 end,
          186.15, 36, '2026-11', '{"encryption": "real"}', ${CREATED}, case when ${IS_DELETED} then now() - interval '20 days' end
     from ${DEPLOYMENTS}`,
];

export const RUNTIME = [
  `insert into deployment_runtimes (deployment_id, cell, status, peer_secret, initialized_at, deleted_at, telemetry_purged_at)
   select :first + g, ${CELL}, case when ${IS_DELETED} then 'deleted' else 'initialized' end, repeat('x', 60), now(),
          case when ${IS_DELETED} then now() end, case when ${IS_DELETED} then now() end from ${DEPLOYMENTS}`,
  `insert into nodes (id, deployment_id, ordinal, name, status, role, broker_driver, broker_version, image_id, storage_type, storage_size,
     private_ip, listen_address, last_seen_at, observed_generation, observed_timeline, runtimes, gauges, credential_hash) overriding system value
   select (:first + g)::bigint * 4 + k, :first + g, k, 'node-' || k, 'running', case when k = 1 then 'leader' else 'follower' end, 'embedded', '1',
          'image', 'network_balanced', 100, '10.0.0.1', '127.0.0.1', now() + interval '1 hour', 1, 1,
          '[{"name": "broker", "status": "running"}]', '{"cpu_percent": 12, "memory_percent": 30, "disk_percent": 5}', sha256('x')
     from ${NODES} where not (${IS_DELETED})`,
  `insert into node_documents (node_id, timeline, generation, hash, spec)
   select (:first + g)::bigint * 4 + k, 1, 1, 'h', repeat(md5(g::text), 6) from ${NODES} where not (${IS_DELETED})`,
  `insert into deployment_credentials (deployment_id, username, password) select :first + g, 'u', repeat('x', 60) from ${DEPLOYMENTS}`,
  `insert into deployment_certificates (deployment_id, authority_id, serial, names, certificate, private_key, status, not_before, not_after)
   select :first + g, 1, 's' || g, array['10.0.0.1', 'c' || g || '.us-east-' || g % 4 || '.' || (array['aws', 'gcp'])[1 + g % 2] || '.growth.test'], repeat(md5(g::text), 6), 'k', 'active',
          now(), now() + interval '80 days' from ${DEPLOYMENTS} where not (${IS_DELETED})`,
  `insert into cloud_resources (kind, name, deployment_id, driver, intent, node_id, cloud, region, handle, seen_at)
   select r.kind, 'growth-' || g || '-' || r.place, :first + g, 'local', 'present', null, 'aws', 'us-east-' || g % 4, '{"id": "i-0123456789"}', now()
     from ${DEPLOYMENTS}, (values ('network', 0), ('instance', 1), ('volume', 2), ('load_balancer', 3)) r (kind, place) where not (${IS_DELETED})`,
  `insert into backups (deployment_id, operation_id, node_id, name, backup_type, status, region, started_at, completed_at, expires_at, by_schedule)
   select :first + g, (:first + g)::bigint * 10 + k, (:first + g)::bigint * 4 + 1, 'b', 'scheduled', 'completed', 'r', now(), now(),
          now() + interval '10 days', true from ${DEPLOYMENTS}, generate_series(0, 2) k where g % 2 = 0`,
  `insert into backup_schedules (deployment_id, every_hours, keep, next_at)
   select :first + g, 24, 3, now() + interval '1 day' from ${DEPLOYMENTS} where g % 2 = 0`,
  `insert into transfer_marks (node_id, deployment_id, minute, bytes)
   select (:first + g)::bigint * 4 + k, :first + g, date_trunc('hour', now()) - interval '150 minutes', 500 from ${NODES} where not (${IS_DELETED})`,
];

/** Ten operations of a deployment with one step each. One of 500 deployments has one that runs. */
export const WORK = [
  `insert into operations (id, type, queue, tenant_id, division_id, environment_id, deployment_id, changing, status, step, memo, trace_id, created_at,
     started_at, finished_at, wake_at, deadline) overriding system value
   select (:first + g)::bigint * 10 + k, (array['create_deployment', 'upgrade_deployment', 'backup', 'rotate_certificates', 'rotate_credentials'])[1 + k % 5],
          ${CELL}, ${TENANT}, ${DIVISION}, ${ENVIRONMENT}, :first + g, k = 9,
          case when k = 9 and g % 500 = 1 then 'running' when k = 4 then 'failed' else 'succeeded' end, 'done', '{"a": 1}', repeat('a', 32),
          at, at, case when not (k = 9 and g % 500 = 1) then at end, now() + interval '1 hour', now() + interval '1 hour'
     from ${DEPLOYMENTS}, generate_series(0, 9) k, lateral (select now() - interval '36 days' * (9 - k) - interval '1 day' * (g % 30) as at) t`,
  `insert into operation_steps (operation_id, seq, name, status, attempts, started_at, finished_at)
   select (:first + g)::bigint * 10 + k, s, 'step ' || s, 'succeeded', 1, now(), now() from ${DEPLOYMENTS}, generate_series(0, 9) k, generate_series(1, 1) s`,
  `insert into operation_events (operation_id, seq, at, event, step, status, attempt)
   select (:first + g)::bigint * 10 + 9, s, now() - interval '29 days' * (1 - (g - :from)::float / (:until - :from)), 'step', 'step ' || s, 'running', 0
     from ${DEPLOYMENTS}, generate_series(1, 4) s`,
  `insert into deployment_upgrades (deployment_id, operation_id, from_shape, to_shape, is_hardware, status, settled_at)
   select :first + g, (:first + g)::bigint * 10 + 1, '{"tier": "small"}', '{"tier": "medium"}', true, 'applied', now() from ${DEPLOYMENTS}`,
  `insert into deployment_upgrades (deployment_id, operation_id, from_shape, to_shape, is_hardware)
   select :first + g, (:first + g)::bigint * 10 + 9, '{"tier": "small"}', '{"tier": "medium"}', true from ${DEPLOYMENTS} where g % 500 = 1`,
  `insert into outbox (event_key, type, tenant_id, division_id, environment_id, deployment_id, subject, data, trace_id, created_at, dispatched_at)
   select 'growth ' || g || ' ' || k, 'node_reachable', ${TENANT}, ${DIVISION}, ${ENVIRONMENT}, :first + g, 's', '{"name": "x"}', 't', at, at
     from ${DEPLOYMENTS}, generate_series(1, 3) k, lateral (select now() - interval '80 days' * random() as at) t`,
];

export const CHANNELS = [
  `insert into notification_channels (id, tenant_id, channel, name) overriding system value
   select :first + 1 + n, :first + 1 + n, 'webhook', 'channel' from ${NEW_TENANTS}`,
  `insert into notification_lanes (channel_id, last_sequence) select :first + 1 + n, 100 from ${NEW_TENANTS}`,
  `insert into notification_subscriptions (tenant_id, channel_id, message_types)
   select :first + 1 + n, :first + 1 + n, '{node_reachable}' from ${NEW_TENANTS}`,
  `insert into notification_deliveries (channel_id, sequence, message_id, message_type, tenant_id, subject, content, data, event_at, status, attempts,
     delivered_at)
   select :first + 1 + g / 100, g * 2 + k, gen_random_uuid(), 'node_reachable', ${TENANT}, 's', 'c', '{}', now(), 'delivered', 1, now()
     from ${DEPLOYMENTS}, generate_series(0, 1) k`,
];

/** Twelve months of invoices of every tenant, and four hours of transfer of every deployment. */
export const BILLING = [
  `insert into metering_intervals (event_key, tenant_id, deployment_id, effective_at, shape, monthly_compute_usd, monthly_storage_usd, pricing_version)
   select 'growth ' || g || ' ' || k, ${TENANT}, :first + g, now() - interval '40 days' * (2 - k),
          '{"cloud": "aws", "nodes": 1, "storage_type": "network_balanced", "storage_size": 100, "tier": "small"}', 100, 10, '1'
     from ${DEPLOYMENTS}, generate_series(1, 2) k`,
  `insert into metering_transfers (tenant_id, deployment_id, effective_at, bytes, usd_per_gb, pricing_version)
   select ${TENANT}, :first + g, date_trunc('hour', now()) - interval '1 hour' * k, 1000, 0.01, '1' from ${DEPLOYMENTS}, generate_series(3, 6) k`,
  `insert into billing_reports (id, tenant_id, month, is_final) overriding system value
   select (:first + 1 + n)::bigint * 100 + k, :first + 1 + n, date_trunc('month', now()) - make_interval(months => k), true
     from generate_series(2, 13) k, ${NEW_TENANTS}`,
  `insert into invoices (report_id, tenant_id, month, status, number, provider, bill_to)
   select (:first + 1 + n)::bigint * 100 + k, :first + 1 + n, date_trunc('month', now()) - make_interval(months => k), 'paid',
          to_char(date_trunc('month', now()) - make_interval(months => k), 'YYYY-MM-') || n, 'manual', '{}' from generate_series(2, 13) k, ${NEW_TENANTS}`,
];
