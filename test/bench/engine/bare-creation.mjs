// What a creation is compared with.

/** The INSERTs of one creation with three nodes, as prepared statements in one transaction. */
export async function insertCreation(pool, { tenantId, divisionId, environmentId }, name) {
  const client = await pool.connect();
  const run = (key, text, values) => client.query({ name: key, text, values });
  try {
    await client.query('begin');
    await run('lock', 'select id from tenants where id = $1 for no key update', [tenantId]);
    const code = Math.random().toString(36).slice(2, 10).padEnd(8, 'x');
    const { rows } = await run('d', DEPLOYMENT, [tenantId, divisionId, environmentId, name, code]);
    const id = rows[0].id;
    await run(
      'r',
      `insert into deployment_runtimes (deployment_id, cell, status, peer_secret) values ($1, 'bench', 'creating', 'sealed')`,
      [id],
    );
    await run(
      'c',
      `insert into deployment_credentials (deployment_id, username, password) values ($1, 'u', 'sealed')`,
      [id],
    );
    await run('k', CONFIG, [id]);
    await run('n', NODES, [id]);
    await run('a', AUDIT, [tenantId, id, name]);
    await run('e', OUTBOX, [`bare:${id}`, tenantId, id, name]);
    await run('o', OPERATION, [tenantId, id]);
    await client.query('commit');
  } finally {
    client.release();
  }
}

const DEPLOYMENT = `insert into deployments (tenant_id, division_id, environment_id, name, code, variant, cloud, area, region, cell, tier,
  cluster, managed_tier, storage_type, storage_size, target_network_tput, network_scope, availability_mode, nodes_count, telemetry_days,
  monthly_compute, monthly_storage, pricing_version)
  values ($1, $2, $3, $4, $5, 'managed', 'aws', 'us', 'us-east-1', 'bench', 'small', 'cluster', 'standard', 'network_balanced', 100, 5000,
    'same_region', 'single_az', 3, 14, 186.15, 36, '2026-11') returning id`;
const CONFIG = `insert into configs (deployment_id, kind, name, version, is_primary, config_values, runtime_version)
  values ($1, 'broker', 'broker', 1, true, 'sealed', '1.2.0')`;
const NODES = `insert into nodes (deployment_id, ordinal, name, role, broker_driver, broker_version, image_id, storage_type, storage_size)
  select $1, n, 'node-' || n, case n when 1 then 'leader' else 'follower' end, 'embedded', '1.2.0', 'image', 'network_balanced', 100
    from generate_series(1, 3) n`;
const AUDIT = `insert into audit_entries (retention_class, tenant_id, type, author_id, author_name, deployment_id, deployment_name, data)
  values (365, $1, 'deployment_created', 1, 'Owner', $2, $3, '{}')`;
const OUTBOX = `insert into outbox (event_key, type, tenant_id, deployment_id, subject, trace_id)
  values ($1, 'deployment_created', $2, $3, $4, 'b')`;
const OPERATION = `insert into operations (type, queue, tenant_id, deployment_id, changing, step, trace_id)
  values ('provision_deployment', 'operations.bench', $1, $2, true, 'creating', 'b')`;
