// Read: GET of a deployment with key, permission, scope and row, compared with B0 (bare) and B1 (framework defaults).
import { compile } from '../compile.mjs';
import { round, stealShare, summary, verdict } from '../measure.mjs';
import { profile, profiled } from '../profile/profile.mjs';
import { freePort } from '../free-port.mjs';
import { answerOf, ENVIRONMENT, headersOf, slice } from './requests.mjs';

const SLICE_SECONDS = 2;

export async function benchRead(world, rounds, { profile: isProfiled }) {
  const { installation } = world;
  const { tenant_id, division_id, environment_id } = installation;
  await insertDeployment(world);
  const path = `/tenants/${tenant_id}/divisions/${division_id}/environments/${environment_id}/deployments/1`;
  const servers = await startServers(world, path, isProfiled);
  for (const server of servers) await slice(server, path, installation.api_key, 1);
  const samples = [];
  let steal = stealShare().now;
  for (let n = 0; n < rounds; n += 1) {
    const sample = {};
    // Each round starts with another server, so no server always follows the same one.
    for (let turn = 0; turn < servers.length; turn += 1) {
      const server = servers[(n + turn) % servers.length];
      sample[server.name] = await slice(server, path, installation.api_key, SLICE_SECONDS);
    }
    samples.push(sample);
  }
  const { share } = stealShare(steal);
  const owners = isProfiled ? await profileOf(servers[0], world, path) : undefined;
  for (const { child } of servers) child.kill('SIGKILL');
  return { ...report(samples, share), ...(owners && { profile: owners }) };
}

/** Where our server spends the time of a request. */
const profileOf = (server, { dataDir, installation }, path) =>
  profile(server.child, dataDir, async () => {
    const { answered } = await slice(server, path, installation.api_key, 4 * SLICE_SECONDS);
    return answered;
  });

async function startServers(world, path, isProfiled) {
  const port = { ours: await freePort(), b0: await freePort(), b1: await freePort() };
  const env = { DATABASE_URL: world.installation.role_urls.main_api };
  const at = (name) => `http://127.0.0.1:${port[name]}`;
  const ours = await world.serve(
    'dist/apps/main-api/src/main.js',
    { ...ENVIRONMENT(world), MAIN_API_PORT: String(port.ours), ...(isProfiled && profiled(world.dataDir)) },
    `${at('ours')}/health/ready`,
  );
  const headers = headersOf(await answerOf(`${at('ours')}${path}`, world.installation.api_key));
  const b0 = await world.serve(
    'test/bench/read/bare-server.mjs',
    { ...env, PORT: String(port.b0), HEADERS: JSON.stringify(headers) },
    at('b0'),
  );
  const b1 = await world.serve(compile('test/bench/read/nest-default.ts'), { ...env, PORT: String(port.b1) }, at('b1'));
  return [
    { name: 'ours', url: at('ours'), child: ours },
    { name: 'b0', url: at('b0'), child: b0 },
    { name: 'b1', url: at('b1'), child: b1 },
  ];
}

function report(samples, steal) {
  const ratios = (rival) => summary(samples.map((sample) => sample[rival].cpuMicros / sample.ours.cpuMicros));
  const of = (name, what) => round(summary(samples.map((sample) => sample[name][what])).median, 1);
  const rows = [
    { name: 'read: share of B0 (bare node:http + pg)', ...ratios('b0'), target: 0.6 },
    { name: 'read: times B1 (framework defaults)', ...ratios('b1'), target: 2 },
  ];
  return {
    rows: rows.map((row) => ({ ...row, verdict: verdict(row, row.target) })),
    detail: Object.fromEntries(
      ['ours', 'b0', 'b1'].map((name) => [
        name,
        { cpu_us_per_request: of(name, 'cpuMicros'), requests_per_second: of(name, 'perSecond') },
      ]),
    ),
    steal_share: round(steal, 4),
  };
}

async function insertDeployment({ sql, installation: { tenant_id, division_id, environment_id } }) {
  await sql.query(
    `insert into deployments (tenant_id, division_id, environment_id, name, code, variant, cloud, area, region, cell, tier, cluster,
       managed_tier, storage_type, storage_size, target_network_tput, network_scope, availability_mode, nodes_count, telemetry_days,
       monthly_compute, monthly_storage, pricing_version)
     values ($1, $2, $3, 'bench', 'benchmrk', 'managed', 'aws', 'us', 'us-east-1', 'local', 'small', 'cluster', 'standard',
       'network_balanced', 100, 5000, 'same_region', 'single_az', 3, 14, 186.15, 36, '2026-11')`,
    [tenant_id, division_id, environment_id],
  );
  await sql.query(
    `insert into deployment_runtimes (deployment_id, cell, status, peer_secret) values (1, 'local', 'initialized', '')`,
  );
}
