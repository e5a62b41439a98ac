// Creates: POST of a managed deployment with the answer 202. The baseline sends the same INSERTs in a bare pg transaction.
// One tenant with ten requests at once, and a hundred tenants with one request each.
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { insertTenants } from '../../load/tenants.mjs';
import { freePort } from '../free-port.mjs';
import { cpuMicroseconds, quantile, round, stealShare, summary, verdict } from '../measure.mjs';
import { profile, profiled } from '../profile/profile.mjs';
import { insertCreation, recordCreations } from './bare-creation.mjs';

const CREATES = 100;
const TENANTS = 100;
const TARGET = 0.6;
/** Connections of the pool of an app. */
const CONNECTIONS = 20;
/** Creations of each side before the first measured one. V8 compiles the code of a creation for some thousand requests. */
const WARM_SLICES = 20;
const WARM_CREATES = 300;
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
  const recorded = await record(world, tenants);
  const { child, url } = await serve(world, isProfiled ? profiled(world.dataDir) : {});
  const bare = new pg.Pool({ connectionString: world.installation.role_urls.main_api, max: CONNECTIONS });
  bare.on('error', () => undefined);
  // The values of a slice are made before it: the API makes its own ones while it is measured.
  const sides = {
    api: (tenant, name) => () => post(`${url}${tenant.deployments}/managed`, tenant.key, name),
    bare: (tenant, name, serial) => {
      const statements = recorded.get(tenant).another(serial, name);
      return () => insertCreation(bare, statements);
    },
  };
  const slice = async (side, load, creates = CREATES) => {
    await clear(world.sql);
    const calls = callsOf(sides[side], tenants, load, creates);
    const before = cpuMicroseconds(child.pid);
    const measured = await rate(calls, load.atOnce);
    return { ...measured, cpu: (cpuMicroseconds(child.pid) - before) / creates };
  };
  try {
    for (let n = 0; n < WARM_SLICES; n += 1)
      await takeTurns((side) => slice(side, Object.values(LOADS)[n % 2], WARM_CREATES), n);
    const steal = stealShare().now;
    const results = {};
    for (const [name, load] of Object.entries(LOADS)) {
      results[name] = [];
      for (let n = 0; n < rounds; n += 1) results[name].push(await takeTurns((side) => slice(side, load), n));
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
async function takeTurns(slice, n) {
  const sample = {};
  for (const side of n % 2 ? ['api', 'bare'] : ['bare', 'api']) sample[side] = await slice(side);
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

/** The statements of one creation for each tenant, from a server that writes them down. */
async function record(world, tenants) {
  const recordFile = join(world.dataDir, 'statements.json');
  const recorder = pathToFileURL(resolve('test/bench/read/recorder.mjs')).href;
  const { child, url } = await serve(world, { RECORD_FILE: recordFile, NODE_OPTIONS: `--import ${recorder}` });
  const create = (tenant, name) => post(`${url}${tenant.deployments}/managed`, tenant.key, name);
  const recorded = await recordCreations(world.sql, tenants, { create, recordFile });
  child.kill('SIGKILL');
  await once(child, 'exit');
  return recorded;
}

async function serve(world, more) {
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
      ...more,
    },
    `${url}/health/ready`,
  );
  return { child, url };
}

const insertCell = (sql) =>
  sql.query(
    `insert into cells (cell, url, agent_url, regions, cloud_drivers, broker_driver, broker_version, version, seen_at)
     values ('bench', 'http://127.0.0.1:1', 'http://127.0.0.1:2', '{*}', '{"aws": "local"}', 'embedded', '1.2.0', 'bench', 'infinity')`,
  );

const UNLIMITED = { limits: { concurrent_deployments_limit: 1e9 }, deployment_tiers: { small: 1e9 } };

/**
 * Both sides start with empty tenants, because the limits of the plan count existing rows. Triggers protect the audit against
 * truncation. The replica role disables them.
 */
const CLEAR = `begin; set local session_replication_role = replica;
  truncate deployments, operations, audit_entries, audit_unsealed, outbox cascade; commit`;
const DEADLOCK = '40P01';

/** The background loops of the server lock the same tables in another order, so PostgreSQL may refuse one of both. */
async function clear(sql) {
  for (let tries = 1; ; tries += 1)
    try {
      return await sql.query(CLEAR);
    } catch (error) {
      if (error.code !== DEADLOCK || tries === 10) throw error;
    }
}

let serial = 0;

/** The creations of a slice. Each of the requests at once stays with its tenant. */
function callsOf(side, tenants, { atOnce, tenants: taking }, creates) {
  return Array.from({ length: creates }, (_, n) => {
    serial += 1;
    return side(tenants[(n % atOnce) % taking], `d-${serial}`, serial);
  });
}

async function rate(calls, atOnce) {
  const latencies = [];
  const begun = performance.now();
  const left = calls.values();
  const work = async () => {
    for (const create of left) {
      const sent = performance.now();
      await create();
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const perSecond = (calls.length * 1000) / (performance.now() - begun);
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
