// npm run load [-- --minutes 10] [--rate 20] [--tenants 50] [--json FILE]: mixed traffic through two main APIs and two
// Supervisors, with kill -9 of one of each. The last line says whether there were errors; with errors the exit code is 1.
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { round, stealShare } from '../bench/measure.mjs';
import { openWorld } from '../bench/world.mjs';
import { RetryingClient } from './client.mjs';
import { deploymentsReady, operationsEnded } from './database.mjs';
import { startInstallation } from './installation.mjs';
import { killInTurns } from './kills.mjs';
import { errorsInLogs } from './logs.mjs';
import { MEASURE, memoryOf, memoryOfFamily, postmasterOf, sampleMemory } from './memory.mjs';
import { openLoop } from './open-loop.mjs';
import { Processes } from './processes.mjs';
import { countErrors, rowsOfMemory, rowsOfRequests } from './report.mjs';
import { CYCLE, orderOfCycle, Requests } from './requests.mjs';
import { insertTenants } from './tenants.mjs';

/** Deployments that can be deleted at the start. With less, slow creations would leave nothing to delete. */
const STOCK = 50;
const SAMPLES = 120;
const LEAST_SAMPLE_MS = 1_000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    rate: { type: 'string', default: '20' },
    tenants: { type: 'string', default: '50' },
    json: { type: 'string' },
  },
});
const [minutes, perSecond, tenantCount] = ['minutes', 'rate', 'tenants'].map((name) => {
  const number = Number(values[name]);
  if (number > 0) return number;
  console.error(`--${name} is a number above 0, not ${values[name]}.`);
  return process.exit(2);
});
const seconds = minutes * 60;

const world = await openWorld();
const processes = new Processes(world.dataDir);
let report;
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    console.error('The run was interrupted.');
    void close().finally(() => process.exit(1));
  });
try {
  report = await run();
} finally {
  await close();
}
if (values.json) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
print(report);
process.exit(report.errors > 0 ? 1 : 0);

async function close() {
  processes.end();
  await world.close();
}

async function run() {
  say('Starts two main APIs and two Supervisors.');
  const installation = await startInstallation(world, processes);
  const urlsOf = (apps) => apps.map(({ url }) => url);
  const clients = [installation.mainApis, installation.supervisors].map((apps) => new RetryingClient(urlsOf(apps)));
  const tenants = await insertTenants(world.sql, tenantCount);
  const temporary = [];
  const requests = new Requests({ mainApis: clients[0], supervisors: clients[1], temporary });
  say(`Creates ${tenants.length + STOCK} deployments of ${tenants.length} tenants.`);
  await createDeployments(requests, tenants);
  await deploymentsReady(world.sql);

  say(`Sends ${perSecond} requests per second for ${minutes} minutes.`);
  const measured = await measure(installation, requests, tenants);
  say('Waits until the operations end.');
  const operations = await operationsEnded(world.sql);
  await Promise.all(clients.map((client) => client.close()));
  return reportOf({ ...measured, operations, before: tenants.length + STOCK });
}

/** One deployment of each tenant stays. The others are the first stock of deletions. */
async function createDeployments(requests, tenants) {
  for (const tenant of tenants) {
    await requests.create(tenant);
    tenant.kept = requests.temporary.pop();
  }
  for (let n = 0; n < STOCK; n += 1) await requests.create(tenants[n % tenants.length]);
}

async function measure({ mainApis, supervisors }, requests, tenants) {
  const postmaster = await postmasterOf(world.sql);
  const sources = Object.fromEntries(
    [...mainApis, ...supervisors].map((app) => [app.name, () => memoryOf(app.child.pid)]),
  );
  if (postmaster !== null) sources.PostgreSQL = () => memoryOfFamily(postmaster);
  const memory = sampleMemory(sources, Math.max(LEAST_SAMPLE_MS, (seconds * 1000) / SAMPLES));
  const steal = stealShare().now;
  const end = new AbortController();
  const killed = [mainApis[0], supervisors[0]];
  const kills = killInTurns(killed, end.signal);
  const order = orderOfCycle();
  const kindOf = (n) => order[n % order.length];
  const results = await openLoop({
    perSecond,
    seconds,
    send: (n) => requests.byKind[kindOf(n)](tenants[n % tenants.length]),
  });
  end.abort();
  return {
    results: results.map((result, n) => ({ kind: kindOf(n), ...result })),
    kills: await kills,
    killed: killed.map(({ name }) => name),
    samples: memory.stop(),
    steal_share: round(stealShare(steal).share, 4),
  };
}

function reportOf({ results, kills, killed, samples, operations, before, steal_share }) {
  const causes = countErrors(results);
  const failures = results.filter(({ error }) => error !== undefined).length;
  const isFlat = operations.deployments === before;
  return {
    at: new Date().toISOString(),
    machine: { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length, steal_share },
    minutes,
    requests: rowsOfRequests(results, CYCLE, seconds),
    memory: rowsOfMemory(samples, killed),
    samples,
    kills: kills.map(({ app, downMs }) => ({ app, seconds_until_next_start: round(downMs / 1000, 1) })),
    operations: { ...operations, deployments_before: before },
    causes,
    log_errors: errorsInLogs(world.dataDir),
    errors: failures + operations.failed + operations.unfinished + (isFlat ? 0 : 1),
  };
}

function print({ requests, memory, kills, operations, causes, log_errors, errors, machine }) {
  console.table(requests);
  console.log(`Memory in MiB (${MEASURE}), and its least-squares slope after the first fifth of the run:`);
  console.table(memory);
  console.log(
    `${kills.length} kills: ${kills.map(({ app, seconds_until_next_start: s }) => `${app} (${s} s)`).join(', ')}`,
  );
  console.log(
    `${operations.succeeded} operations succeeded, ${operations.failed} failed, ${operations.unfinished} did not end. ` +
      `Deployments: ${operations.deployments_before} before, ${operations.deployments} after. Steal time: ${machine.steal_share}.`,
  );
  if (errors > 0) console.table(causes);
  if (Object.keys(log_errors).length > 0) console.table(log_errors);
  console.log(errors === 0 ? 'errors: 0' : `errors: ${errors}. The run failed.`);
}

function say(text) {
  process.stderr.write(`${text}\n`);
}
