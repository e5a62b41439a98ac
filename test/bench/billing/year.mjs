// Twelve past months of a thousand deployments of a hundred tenants: created, upgraded, moved to another managed tier,
// some of them deleted, each with transfer for every hour of its life. Writes the rows that the workflows and the
// telemetry of nodes would write.

export const TENANTS = 100;
export const DEPLOYMENTS = 1_000;
export const MONTHS = 12;
const SEED = 0.25;

/** Start times of the months, and the end of the last month. */
export function monthsOf(now) {
  const at = (ahead) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead);
  return Array.from({ length: MONTHS + 1 }, (_, index) => at(index - MONTHS));
}

/** Triggers are off: they would close the accounts of past months, and these must be open. */
export async function generateYear(sql, months) {
  const [began, ended] = [months[0], months[MONTHS]].map((at) => new Date(at).toISOString());
  const client = await sql.connect();
  try {
    await client.query('begin');
    await client.query(
      `set local session_replication_role = replica; set local timezone = 'utc'; select setseed(${SEED})`,
    );
    await client.query('delete from billing_months');
    await client.query(
      `insert into billing_months (month, settled_at) select $1::timestamptz::date - interval '1 month', now()`,
      [began],
    );
    await client.query(PEOPLE);
    await client.query(PLACES);
    await client.query(LIVES, [began, ended]);
    await client.query(SHAPES);
    await client.query(ENDS);
    await client.query(TRANSFERS, [began, ended]);
    await client.query('commit');
    await client.query('vacuum analyze');
  } finally {
    client.release();
  }
}

const PEOPLE = `
  with owner as (
    insert into users (email, name, password_hash) select 'owner-' || n || '@bench.test', 'Owner', 'none'
      from generate_series(1, ${TENANTS}) n returning id
  )
  insert into tenants (name, email, owner_id, plan) select 'tenant ' || id, '', id, 'enterprise' from owner`;
const PLACES = `
  with division as (
    insert into divisions (tenant_id, name) select id, 'Default' from tenants where name like 'tenant %' returning id, tenant_id
  )
  insert into environments (tenant_id, division_id, name) select tenant_id, id, 'sandbox' from division`;
/** A third of the deployments existed before the year; one of ten is deleted before its end. */
const LIVES = `
  with place as (
    select e.*, row_number() over (order by e.id) as n from environments e join tenants t on t.id = e.tenant_id
     where t.name like 'tenant %'
  ), made as (
    insert into deployments (tenant_id, division_id, environment_id, name, code, variant, cloud, area, region, cell, tier, cluster,
      storage_type, storage_size, target_network_tput, network_scope, availability_mode, nodes_count, telemetry_days,
      monthly_compute, monthly_storage, pricing_version, created_at)
    select p.tenant_id, p.division_id, p.id, 'd' || g, 'd' || g, 'managed', 'aws', 'us', 'us-east-1', 'bench', 'small', 'cluster',
      'network_balanced', 100, 1, 'same_region', 'single_az', 3, 14, 0, 0, '1',
      $1::timestamptz + greatest(random() - 0.33, 0) * ($2::timestamptz - $1::timestamptz)
      from generate_series(1, ${DEPLOYMENTS}) g join place p on p.n = g % ${TENANTS} + 1 returning id, created_at
  )
  insert into deployment_runtimes (deployment_id, cell, status, peer_secret, deleted_at)
  select id, 'bench', 'initialized', '',
    case when random() < 0.1 then created_at + random() * ($2::timestamptz - created_at) end from made`;
/** One to four shapes, each with its own price, within the life of the deployment. */
const SHAPES = `
  insert into metering_intervals (event_key, tenant_id, deployment_id, effective_at, shape, monthly_compute_usd, monthly_storage_usd,
    pricing_version)
  select d.id || ':' || n, d.tenant_id, d.id,
    date_trunc('milliseconds', d.created_at + n * random() / 4 * (coalesce(r.deleted_at, date_trunc('month', now())) - d.created_at)),
    jsonb_build_object('cloud', 'aws', 'region', 'us-east-1', 'tier', 'small', 'managed_tier', 'standard', 'nodes', 1 + 2 * n,
      'storage_type', 'network_balanced', 'storage_size', 100 * (n + 1)),
    round((random() * 5000)::numeric, 2), round((random() * 500)::numeric, 2), '1'
    from deployments d join deployment_runtimes r on r.deployment_id = d.id
    cross join generate_series(0, 3) n where r.cell = 'bench' and (n = 0 or random() < 0.6)`;
const ENDS = `
  insert into metering_intervals (event_key, tenant_id, deployment_id, effective_at, shape, monthly_compute_usd, monthly_storage_usd,
    pricing_version)
  select d.id || ':end', d.tenant_id, d.id, date_trunc('milliseconds', r.deleted_at), null, 0, 0, '1'
    from deployments d join deployment_runtimes r on r.deployment_id = d.id where r.cell = 'bench' and r.deleted_at is not null`;
/** The price of transfer changes in the middle of the year. */
const TRANSFERS = `
  insert into metering_transfers (tenant_id, deployment_id, effective_at, bytes, usd_per_gb, pricing_version)
  select d.tenant_id, d.id, hour, 1 + (random() * 2e10)::bigint,
    case when hour < $1::timestamptz + interval '180 days' then 0.01 else 0.0125 end, '1'
    from deployments d join deployment_runtimes r on r.deployment_id = d.id
    cross join lateral generate_series(date_trunc('hour', d.created_at), coalesce(r.deleted_at, $2::timestamptz) - interval '1 hour',
      '1 hour') hour
   where r.cell = 'bench'`;
