// Lists, structure, summary and a page of the audit, compared with a server without a framework that sends the same statements.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { round, stealShare, summary, verdict } from '../measure.mjs';
import { freePort } from '../free-port.mjs';
import { answerOf, ENVIRONMENT, headersOf, slice } from './requests.mjs';

const SLICE_SECONDS = 1;
const TARGET = 0.5;
/** Rows of a page. */
const ROWS = 50;
const DEPLOYMENTS = 300;
const ENTRIES = 2_000;
/** Of the plan that the installation starts with. */
const RETENTION_DAYS = 7;

export async function benchLists(world, rounds) {
  await fill(world);
  const routes = routesOf(world.installation);
  const servers = await startServers(world, Object.values(routes));
  const samples = Object.fromEntries(Object.keys(routes).map((name) => [name, []]));
  let steal = stealShare().now;
  for (let n = 0; n <= rounds; n += 1)
    for (const [name, path] of Object.entries(routes)) {
      const sample = {};
      for (let turn = 0; turn < servers.length; turn += 1) {
        const server = servers[(n + turn) % servers.length];
        sample[server.name] = await slice(server, path, world.installation.api_key, SLICE_SECONDS);
      }
      // The first round compiles the code of both servers.
      if (n > 0) samples[name].push(sample);
    }
  const { share } = stealShare(steal);
  for (const { child } of servers) child.kill('SIGKILL');
  return report(samples, share);
}

const routesOf = ({ tenant_id, division_id, environment_id }) => ({
  'list of deployments': `/tenants/${tenant_id}/divisions/${division_id}/environments/${environment_id}/deployments?results=${ROWS}`,
  structure: `/tenants/${tenant_id}/structure`,
  summary: `/tenants/${tenant_id}/summary`,
  'page of the audit': `/audit/tenants/${tenant_id}?results=${ROWS}`,
});

async function startServers(world, paths) {
  const port = { ours: await freePort(), bare: await freePort() };
  const at = (name) => `http://127.0.0.1:${port[name]}`;
  const env = { ...ENVIRONMENT(world), MAIN_API_PORT: String(port.ours) };
  const main = 'dist/apps/main-api/src/main.js';
  const routesFile = join(world.dataDir, 'routes.json');
  await record(world, { main, env, paths, at: at('ours') }, routesFile);
  const ours = await world.serve(main, env, `${at('ours')}/health/ready`);
  const bare = await world.serve(
    'test/bench/read/replaying-server.mjs',
    { DATABASE_URL: env.DATABASE_URL, PORT: String(port.bare), ROUTES_FILE: routesFile },
    at('bare'),
  );
  return [
    { name: 'ours', url: at('ours'), child: ours },
    { name: 'bare', url: at('bare'), child: bare },
  ];
}

/** Sends each request once, and writes its statements, its body and its headers. */
async function record(world, { main, env, paths, at }, routesFile) {
  const recordFile = join(world.dataDir, 'statements.json');
  const recorder = pathToFileURL(resolve('test/bench/read/recorder.mjs')).href;
  const recorded = { ...env, RECORD_FILE: recordFile, NODE_OPTIONS: `--import ${recorder}` };
  const child = await world.serve(main, recorded, `${at}/health/ready`);
  const routes = {};
  for (const path of paths) {
    const answer = await answerOf(`${at}${path}`, world.installation.api_key);
    const body = JSON.parse(answer.text);
    if (body.items?.length < ROWS) throw new Error(`${path} answers ${body.items.length} rows`);
    routes[path] = { body, headers: headersOf(answer) };
  }
  const statements = JSON.parse(readFileSync(recordFile, 'utf8'));
  for (const path of paths)
    routes[path].queries = statements[path].filter(({ name }) => name !== 'rate_count.exchange');
  writeFileSync(routesFile, JSON.stringify(routes));
  child.kill('SIGKILL');
  await new Promise((ended) => child.once('exit', ended));
}

function report(samples, steal) {
  const named = Object.entries(samples);
  const of = (list, name, what) => round(summary(list.map((sample) => sample[name][what])).median, 1);
  return {
    rows: named.map(([name, list]) => {
      const ratio = summary(list.map(({ ours, bare }) => bare.cpuMicros / ours.cpuMicros));
      return {
        name: `${name}: share of bare node:http + pg`,
        ...ratio,
        target: TARGET,
        verdict: verdict(ratio, TARGET),
      };
    }),
    detail: Object.fromEntries(
      named.map(([name, list]) => [
        name,
        Object.fromEntries(
          ['ours', 'bare'].map((server) => [
            server,
            { cpu_us_per_request: of(list, server, 'cpuMicros'), requests_per_second: of(list, server, 'perSecond') },
          ]),
        ),
      ]),
    ),
    steal_share: round(steal, 4),
  };
}

async function fill({ sql, installation: { tenant_id, division_id, environment_id } }) {
  await sql.query(
    `with added as (
       insert into deployments (tenant_id, division_id, environment_id, name, code, variant, cloud, area, region, cell, tier, cluster,
         managed_tier, storage_type, storage_size, target_network_tput, network_scope, availability_mode, nodes_count, telemetry_days,
         monthly_compute, monthly_storage, pricing_version)
       select $1, $2, $3, 'bench-' || n, 'bench' || n, 'managed', (array['aws', 'gcp'])[1 + n % 2], 'us', 'us-east-' || n % 4, 'local',
         'small', 'cluster', 'standard', 'network_balanced', 100, 5000, 'same_region', 'single_az', 3, 14, 186.15, 36, '2026-11'
         from generate_series(1, $4::int) n
       returning id)
     insert into deployment_runtimes (deployment_id, cell, status, peer_secret) select id, 'local', 'initialized', '' from added`,
    [tenant_id, division_id, environment_id, DEPLOYMENTS],
  );
  await sql.query(
    `insert into audit_entries (retention_class, created_at, tenant_id, type, author_id, author_name, division_id, division_name, data,
       correlation_id)
     select $4::int, now() - n * interval '1 second', $1::int, 'division_updated', 1, 'Owner', $2::int, 'Default', '{"name": "x"}',
            gen_random_uuid()
       from generate_series(1, $3::int) n`,
    [tenant_id, division_id, ENTRIES, RETENTION_DAYS],
  );
  await sql.query('analyze');
}
