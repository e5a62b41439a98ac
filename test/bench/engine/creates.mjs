// Creates: POST of a managed deployment with the answer 202. The baseline sends the same statements in a bare pg
// transaction. One tenant with ten requests at once, and a hundred tenants with one request each.
import pg from 'pg';
import { insertTenants } from '../../load/tenants.mjs';
import { freePort } from '../free-port.mjs';
import { cpuMicroseconds, quantile, round, stealShare, summary, verdict } from '../measure.mjs';
import { profile, profiled } from '../profile/profile.mjs';
import { insertCreation } from './bare-creation.mjs';

const CREATES = 100;
const TENANTS = 100;
const TARGET = 0.6;
/** Connections of the pool of an app. */
const CONNECTIONS = 20;
/** Slices of each side before the first measured one. The code of a server is fast after some hundred requests. */
const WARM_SLICES = 5;
const PROFILED_SLICES = 5;
/** The requests at once, and the tenants that take turns. */
const LOADS = { 'one tenant': { atOnce: 10, tenants: 1 }, '100 tenants': { atOnce: TENANTS, tenants: TENANTS } };
const BODY = { cloud: 'aws', region: 'us-east-1', tier: 'small', cluster: 'cluster', managed_tier: 'standard' };

export async function benchCreates(world, rounds, { profile: isProfiled }) {
  await insertCell(world.sql);
  const tenants = await insertTenants(world.sql, TENANTS);
  await world.sql.query('update tenants set plan_overrides = $1', [JSON.stringify(UNLIMITED)]);
  await world.sql.query(
    `insert into payment_methods (tenant_id, provider) select id, 'manual' from tenants on conflict do nothing`,
  );
  const { child, url } = await serve(world, isProfiled);
  const bare = new pg.Pool({ connectionString: world.installation.role_urls.main_api, max: CONNECTIONS });
  bare.on('error', () => undefined);
  const sides = {
    api: (tenant, name) => post(`${url}${tenant.deployments}/managed`, tenant.key, name),
    bare: (tenant, name) => insertCreation(bare, tenant, name),
  };
  const slice = async (side, load) => {
    await clear(world.sql);
    const before = cpuMicroseconds(child.pid);
    const measured = await rate(sides[side], tenants, load);
    return { ...measured, cpu: (cpuMicroseconds(child.pid) - before) / CREATES };
  };
  try {
    for (let n = 0; n < WARM_SLICES; n += 1) await takeTurns(slice, n, LOADS['one tenant']);
    const steal = stealShare().now;
    const results = {};
    for (const [name, load] of Object.entries(LOADS)) {
      results[name] = [];
      for (let n = 0; n < rounds; n += 1) results[name].push(await takeTurns(slice, n, load));
    }
    const { share } = stealShare(steal);
    const owners = isProfiled && (await profileOf(child, world, () => slice('api', LOADS['one tenant'])));
    return { ...report(results), steal_share: round(share, 4), ...(owners && { profile: owners }) };
  } finally {
    child.kill('SIGKILL');
    await bare.end();
  }
}

/** Both sides once, the first one in turns. */
async function takeTurns(slice, n, load) {
  const sample = {};
  for (const side of n % 2 ? ['api', 'bare'] : ['bare', 'api']) sample[side] = await slice(side, load);
  return sample;
}

function report(results) {
  const rows = [];
  const detail = {};
  for (const [name, samples] of Object.entries(results)) {
    const ratio = summary(samples.map(({ api, bare }) => api.perSecond / bare.perSecond));
    rows.push({
      name: `creates/s of ${name} by the same INSERTs in bare pg`,
      ...ratio,
      target: TARGET,
      verdict: verdict(ratio, TARGET),
    });
    const of = (side, figure) => summary(samples.map((sample) => sample[side][figure])).median;
    const figures = (side) => ({
      per_second: round(of(side, 'perSecond'), 0),
      p50_ms: round(of(side, 'p50')),
      p99_ms: round(of(side, 'p99')),
    });
    detail[name] = { api: { ...figures('api'), cpu_us: round(of('api', 'cpu'), 0) }, bare: figures('bare') };
  }
  return { rows, detail };
}

const profileOf = (child, { dataDir }, run) =>
  profile(child, dataDir, async () => {
    for (let n = 0; n < PROFILED_SLICES; n += 1) await run();
    return PROFILED_SLICES * CREATES;
  });

async function serve(world, isProfiled) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = await world.serve(
    'dist/apps/main-api/src/main.js',
    {
      DATABASE_URL: world.installation.role_urls.main_api,
      MAIN_API_PORT: String(port),
      LANDLORD_SECRET_KEYS: world.secretKeys,
      LOG_LEVEL: 'warn',
      RATE_LIMIT: '1000000',
      QUEUE_URL: 'off',
      LANDLORD_DATA_DIR: world.dataDir,
      ...(isProfiled && profiled(world.dataDir)),
    },
    `${url}/health/ready`,
  );
  return { child, url };
}

const insertCell = (sql) =>
  sql.query(
    `insert into cells (cell, url, agent_url, regions, cloud_drivers, broker_driver, broker_version, version)
     values ('bench', 'http://127.0.0.1:1', 'http://127.0.0.1:2', '{*}', '{"aws": "local"}', 'embedded', '1.2.0', 'bench')`,
  );

const UNLIMITED = { limits: { concurrent_deployments_limit: 1e9 }, deployment_tiers: { small: 1e9 } };

/**
 * Both sides start with empty tenants, because the limits of the plan count existing rows. Triggers protect the audit against
 * truncation. The replica role disables them.
 */
const clear = (sql) =>
  sql.query(`begin; set local session_replication_role = replica;
    truncate deployments, operations, audit_entries, audit_unsealed, outbox cascade; commit`);

let serial = 0;

async function rate(create, tenants, load) {
  const latencies = [];
  const begun = performance.now();
  let left = CREATES;
  const one = async (tenant) => {
    while (left-- > 0) {
      const sent = performance.now();
      await create(tenant, `d-${(serial += 1)}`);
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: load.atOnce }, (_, n) => one(tenants[n % load.tenants])));
  const perSecond = (CREATES * 1000) / (performance.now() - begun);
  latencies.sort((a, b) => a - b);
  return { perSecond, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) };
}

async function post(path, key, name) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'ld-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ name, ...BODY }),
  });
  if (response.status !== 202) throw new Error(`create answers ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}
