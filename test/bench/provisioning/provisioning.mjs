// Requested → initialized: the real main API accepts starters, the real supervisor builds them, and agents report
// through its real gateway. The cloud is played, and its agents run no broker; both are ready at once.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from '../compile.mjs';
import { quantile, round, stealShare } from '../measure.mjs';
import { freePort } from '../free-port.mjs';

/** Number of parallel clients, and of the deployments that they order in total. */
const LOADS = [
  { clients: 1, deployments: 20 },
  { clients: 10, deployments: 100 },
  { clients: 50, deployments: 250 },
];
const WAIT_SECONDS = 60;
/** The log of the first started server. */
const SUPERVISOR_LOG = '0.log';

export async function benchProvisioning(world) {
  const { sql, installation } = world;
  compile('libs/testing/src/fake-cloud.ts');
  const unlimited = { limits: { concurrent_deployments_limit: 1e9 }, deployment_tiers: { free: 1e9 } };
  await sql.query('update tenants set plan_overrides = $1', [JSON.stringify(unlimited)]);
  const main = await startApps(world);
  const client = clientOf(main, installation);
  for (let n = 0; n < 5; n += 1) await client.order();
  const steal = stealShare().now;
  const loads = [];
  for (const load of LOADS) {
    loads.push(await run(client, load));
    process.stderr.write(`  ${load.clients} at once: done\n`);
  }
  const { share } = stealShare(steal);
  const ms = (values, q) => round(quantile(values, q), 0);
  return {
    rows: loads.map(({ clients, took }) => ({
      name: `requested → initialized, ${clients} at once: p50, ms`,
      median: ms(took, 0.5),
      q1: ms(took, 0.25),
      q3: ms(took, 0.75),
      target: 'none',
      verdict: '',
    })),
    detail: {
      loads: loads.map(({ clients, took, answered, perSecond }) => ({
        clients,
        deployments: took.length,
        per_second: round(perSecond, 1),
        initialized_ms: { p50: ms(took, 0.5), p99: ms(took, 0.99) },
        answered_202_ms: { p50: ms(answered, 0.5), p99: ms(answered, 0.99) },
      })),
      supervisor_warnings: warnings(join(world.dataDir, SUPERVISOR_LOG)),
      steps_ms: await stepTimes(sql),
    },
    steal_share: round(share, 4),
  };

  async function run({ order }, { clients, deployments }) {
    const begun = performance.now();
    const done = [];
    let left = deployments;
    await Promise.all(
      Array.from({ length: clients }, async () => {
        while (left-- > 0) done.push(await order());
      }),
    );
    const perSecond = (deployments * 1000) / (performance.now() - begun);
    const sorted = (name) => done.map((one) => one[name]).sort((a, b) => a - b);
    return {
      clients,
      took: sorted('initialized'),
      answered: sorted('answered'),
      perSecond,
    };
  }
}

async function startApps(world) {
  const [mainPort, supervisorPort, gatewayPort] = [await freePort(), await freePort(), await freePort()];
  const shared = {
    RATE_LIMIT: 'off',
    LANDLORD_SECRET_KEYS: world.secretKeys,
    LANDLORD_DATA_DIR: world.dataDir,
    LOG_LEVEL: 'warn',
  };
  await world.serve(
    'test/bench/provisioning/supervisor.mjs',
    {
      ...shared,
      DATABASE_URL: world.installation.role_urls.supervisor,
      SUPERVISOR_PORT: String(supervisorPort),
      GATEWAY_PORT: String(gatewayPort),
      LOCAL_BROKER: 'embedded',
    },
    `http://127.0.0.1:${supervisorPort}/health/ready`,
  );
  const url = `http://127.0.0.1:${mainPort}`;
  await world.serve(
    'dist/apps/main-api/src/main.js',
    { ...shared, DATABASE_URL: world.installation.role_urls.main_api, MAIN_API_PORT: String(mainPort) },
    `${url}/health/ready`,
  );
  return url;
}

function clientOf(url, { tenant_id, division_id, api_key }) {
  const headers = { 'ld-api-key': api_key, 'content-type': 'application/json' };
  const path = `${url}/tenants/${tenant_id}/divisions/${division_id}/deployments/starter`;
  return {
    /** Orders a starter and waits for its operation; returns the ms until the 202 and until the end. */
    async order() {
      const begun = performance.now();
      const body = JSON.stringify({ cloud: 'aws', region: 'us-east-1' });
      const { operation_id } = await answered(await fetch(path, { method: 'POST', headers, body }), 202);
      const until202 = performance.now() - begun;
      for (;;) {
        const operation = `${url}/tenants/${tenant_id}/operations/${operation_id}?wait=${WAIT_SECONDS}`;
        const { status, reason } = await answered(await fetch(operation, { headers }), 200);
        if (status === 'succeeded') return { answered: until202, initialized: performance.now() - begun };
        if (status === 'failed' || status === 'cancelled') throw new Error(`operation ${operation_id}: ${reason}`);
      }
    },
  };
}

async function answered(response, expected) {
  if (response.status !== expected) throw new Error(`${response.url}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Time per step over all loads; `repeats` counts earlier failed attempts. */
async function stepTimes(sql) {
  const { rows } = await sql.query(
    `select name, percentile_cont(array[0.5, 0.99]) within group (order by extract(epoch from finished_at - started_at) * 1000) as ms,
            sum(attempts - 1)::int as repeats
       from operation_steps where started_at is not null group by name order by ms desc`,
  );
  return Object.fromEntries(
    rows.map(({ name, ms, repeats }) => [name, { p50: round(ms[0], 1), p99: round(ms[1], 1), repeats }]),
  );
}

/** Warnings in the log of the supervisor, by message and cause. */
function warnings(log) {
  const counts = {};
  for (const line of readFileSync(log, 'utf8')
    .split('\n')
    .filter((text) => text !== '')) {
    const { msg, err } = line.startsWith('{') ? JSON.parse(line) : { msg: line };
    const what = `${msg}${err ? `: ${err.message}` : ''}`.replaceAll(/\d+/g, 'N');
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}
