// Creates: POST of a managed deployment with the answer 202. The baseline sends the same statements in a bare pg
// transaction.
import pg from 'pg';
import { freePort } from '../free-port.mjs';
import { round, stealShare, summary, verdict } from '../measure.mjs';

const CREATES = 60;
const CONCURRENCY = 10;
const TARGET = 0.6;

export async function benchCreates(world, rounds) {
  const { sql, installation } = world;
  const { tenant_id, division_id, environment_id } = installation;
  await sql.query(
    `insert into cells (cell, url, agent_url, regions, cloud_drivers, broker_driver, broker_version, version)
     values ('bench', 'http://127.0.0.1:1', 'http://127.0.0.1:2', '{*}', '{"aws": "local"}', 'embedded', '1.2.0', 'bench')`,
  );
  const unlimited = { limits: { concurrent_deployments_limit: 1e9 }, deployment_tiers: { small: 1e9 } };
  await sql.query('update tenants set plan_overrides = $1', [JSON.stringify(unlimited)]);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = await world.serve(
    'dist/apps/main-api/src/main.js',
    {
      DATABASE_URL: installation.role_urls.main_api,
      MAIN_API_PORT: String(port),
      LANDLORD_SECRET_KEYS: world.secretKeys,
      LOG_LEVEL: 'warn',
      RATE_LIMIT: '1000000',
      QUEUE_URL: 'off',
      LANDLORD_DATA_DIR: world.dataDir,
    },
    `${url}/health/ready`,
  );
  const path = `${url}/tenants/${tenant_id}/divisions/${division_id}/environments/${environment_id}/deployments/managed`;
  const bare = new pg.Pool({ connectionString: installation.role_urls.main_api, max: CONCURRENCY });
  bare.on('error', () => undefined);
  let serial = 0;
  const byApi = () => post(path, installation.api_key, `api-${(serial += 1)}`);
  const byHand = () => inserts(bare, installation, `bare-${(serial += 1)}`);
  await rate(byApi);
  await rate(byHand);
  const samples = [];
  const steal = stealShare().now;
  for (let n = 0; n < rounds; n += 1) {
    const sample = {};
    for (const [name, create] of n % 2
      ? [
          ['api', byApi],
          ['bare', byHand],
        ]
      : [
          ['bare', byHand],
          ['api', byApi],
        ]) {
      // Both sides start with an empty tenant, because the limits of the plan count existing rows.
      // Triggers protect the audit against truncation; the replica role disables them.
      await sql.query(`begin; set local session_replication_role = replica;
        truncate deployments, operations, audit_entries, audit_unsealed, outbox cascade; commit`);
      sample[name] = await rate(create);
    }
    samples.push(sample);
  }
  const { share } = stealShare(steal);
  child.kill('SIGKILL');
  await bare.end();
  const ratio = summary(samples.map((sample) => sample.api / sample.bare));
  return {
    rows: [
      { name: 'creates/s by the same INSERTs in bare pg', ...ratio, target: TARGET, verdict: verdict(ratio, TARGET) },
    ],
    detail: {
      creates_per_second: round(summary(samples.map(({ api }) => api)).median, 0),
      bare_per_second: round(summary(samples.map((sample) => sample.bare)).median, 0),
    },
    steal_share: round(share, 4),
  };
}

async function rate(create) {
  const begun = performance.now();
  let left = CREATES;
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (left-- > 0) await create();
    }),
  );
  return (CREATES * 1000) / (performance.now() - begun);
}

async function post(path, key, name) {
  const body = { name, cloud: 'aws', region: 'us-east-1', tier: 'small', cluster: 'cluster', managed_tier: 'standard' };
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'ld-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 202) throw new Error(`create answers ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}

/** The INSERTs of one creation with three nodes, as prepared statements in one transaction. */
async function inserts(pool, { tenant_id, division_id, environment_id }, name) {
  const client = await pool.connect();
  const run = (key, text, values) => client.query({ name: key, text, values });
  try {
    await client.query('begin');
    await run('lock', 'select id from tenants where id = $1 for no key update', [tenant_id]);
    const code = Math.random().toString(36).slice(2, 10).padEnd(8, 'x');
    const { rows } = await run('d', DEPLOYMENT, [tenant_id, division_id, environment_id, name, code]);
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
    await run('a', AUDIT, [tenant_id, id, name]);
    await run('e', OUTBOX, [`bare:${id}`, tenant_id, id, name]);
    await run('o', OPERATION, [tenant_id, id]);
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
