// Agents: one gateway on one core, ten thousand simulated agents on the other core. Measures the time from a commit to
// the node, the cost of a change of all nodes at once, the memory per agent next to bare servers, the writes of heartbeats,
// and the return of all agents after the gateway was killed.
import {
  cpuMicroseconds,
  quantile,
  residentBytes,
  round,
  stealShare,
  waitedMicroseconds,
  within,
} from '../measure.mjs';
import { selfSigned } from '../self-signed.mjs';
import { bareMemory } from './bare-memory.mjs';
import { pairsWithin, startGateway } from './gateway.mjs';
import { openSimulator } from './simulator-process.mjs';
import { nowMs } from './simulated-agent.mjs';
import { watchWaits } from './database-waits.mjs';
import { benchParked } from './parked.mjs';
import { Population } from './population.mjs';
import { report } from './report.mjs';
import { settledBytes } from './settled-bytes.mjs';
import { storm } from './storm.mjs';

const SIMULATOR_CORE = 1;
const CHANGES_PER_SECOND = 100;
const INTERVAL_MS = 10_000;
const RECEIPT_DEADLINE_MS = 120_000;
/** All documents change in one transaction, which can be rolled back because of a deadlock. */
const HERD_TRIES = 5;
/** The backends of PostgreSQL report their counts about once a second. */
const COUNTS_MS = 1_500;

export async function benchAgents(world, _rounds, { agents, seconds, tls, parked }) {
  if (parked) return benchParked(world, agents, tls);
  const certificate = await selfSigned();
  const population = await Population.open(world, agents);
  const simulator = openSimulator(SIMULATOR_CORE);
  try {
    const bare = await bareMemory(simulator, agents, certificate);
    note('connections of bare servers are measured');
    const gateway = await startGateway(world, tls ? certificate : null);
    const keptPairs = pairsWithin(agents);
    if (keptPairs < agents)
      note(`open files are limited: ${agents - keptPairs} agents open a connection for each status`);
    const steal = stealShare().now;
    const memory = { none: await settledBytes(gateway.pid) };
    await simulator.connect({ port: gateway.port, nodes: population.agents, keptPairs, isTls: tls });
    memory.parked = await settledBytes(gateway.pid);
    note(`${agents} polls are parked`);
    await simulator.report({ withinMs: INTERVAL_MS });
    await caughtUp(simulator);
    const run = { world, population, simulator, gateway, agents, seconds };
    const quiet = await measure(run, () => sleep(seconds * 500));
    note('heartbeats alone are measured');
    const steady = await measure(run, () => steadyChanges(population, seconds));
    note('changes are measured');
    memory.serving = residentBytes(gateway.pid);
    const herd = await measure(run, () => changeAll(world, population));
    note('a change of all is measured');
    const stormed = await storm({ simulator, gateway, agents });
    const runs = { quiet, steady, herd, stormed };
    return report({ agents, seconds, tls, keptPairs, memory, bare, ...runs, steal: stealShare(steal).share });
  } finally {
    simulator.close();
    await population.close();
  }
}

/** Measures the gateway, the database and the agents while `work` runs and until all agents have the documents. */
async function measure({ world, simulator, gateway }, work) {
  await sleep(COUNTS_MS);
  await simulator.tell();
  const before = {
    ...(await counters(world)),
    cpu: cpuMicroseconds(gateway.pid),
    waited: waitedMicroseconds(gateway.pid),
    at: nowMs(),
  };
  const stopWatching = watchWaits(world.sql);
  const published = (await work()) ?? { commits: new Map() };
  const told = await receipts(simulator, published.commits);
  const waits = await stopWatching();
  const after = {
    ...(await counters(world)),
    cpu: cpuMicroseconds(gateway.pid),
    waited: waitedMicroseconds(gateway.pid),
    at: nowMs(),
  };
  const elapsed = (after.at - before.at) / 1000;
  return {
    ...published,
    ...told,
    waits,
    elapsed,
    cpuShare: (after.cpu - before.cpu) / 1e6 / elapsed,
    waitedShare: (after.waited - before.waited) / 1e6 / elapsed,
    written: (after.updates - before.updates) / elapsed,
    commitsPerSecond: (after.commits - before.commits) / elapsed,
    deadlocks: after.deadlocks - before.deadlocks,
    flushes: await flushesPerSecond(world),
  };
}

async function counters({ sql }) {
  const { rows } = await sql.query(
    `select xact_commit::int as commits, deadlocks::int as deadlocks,
            (select n_tup_upd::int from pg_stat_user_tables where relname = 'nodes') as updates
       from pg_stat_database where datname = current_database()`,
  );
  return rows[0];
}

/** All nodes in one statement get the same time. A node reports at most once in eight seconds unless it has changed. */
async function flushesPerSecond({ sql }) {
  const { rows } = await sql.query(
    `select count(distinct last_seen_at)::int as flushes from nodes where last_seen_at > now() - interval '6 seconds'`,
  );
  return rows[0].flushes / 6;
}

/**
 * Changes at a fixed rate, whether or not earlier changes have arrived. A change of a rule changes the documents of all
 * nodes of the deployment.
 */
async function steadyChanges(population, seconds) {
  const commits = new Map();
  const begun = nowMs();
  const flying = new Set();
  const failures = [];
  const commitMs = [];
  let published = 0;
  for (let turn = 0; nowMs() - begun < seconds * 1000; turn += 1) {
    const deployment = population.deployments[turn % population.deployments.length];
    await sleep(begun + (published * 1000) / CHANGES_PER_SECOND - nowMs());
    const change = population
      .change([deployment])
      .then((at) => {
        commit(commits, [deployment], at);
        commitMs.push(nowMs() - at);
      })
      .catch((error) => failures.push(error.message))
      .finally(() => flying.delete(change));
    flying.add(change);
    published += deployment.nodes.length;
  }
  await Promise.all(flying);
  return { commits, commitMs, published, failures, publishedPerSecond: (published * 1000) / (nowMs() - begun) };
}

/** The time at which the database has recorded the newest document for every node. */
async function recorded(sql) {
  const deadline = nowMs() + RECEIPT_DEADLINE_MS;
  for (;;) {
    const { rows } = await sql.query(
      `select exists (select from nodes n join node_documents d on d.node_id = n.id where n.observed_generation <> d.generation) as behind`,
    );
    if (!rows[0].behind) return nowMs();
    if (nowMs() > deadline) return Infinity;
    await sleep(200);
  }
}

async function changeAll({ sql }, population) {
  const commits = new Map();
  const failures = [];
  let begun = nowMs();
  let at = null;
  while (at === null && failures.length < HERD_TRIES) {
    begun = nowMs();
    at = await population.change(population.deployments).catch((error) => {
      failures.push(error.message);
      return null;
    });
  }
  if (at === null) throw new Error(`the change of all is refused: ${failures.join(', ')}`);
  commit(commits, population.deployments, at);
  const recordedMs = (await recorded(sql)) - at;
  return { commits, recordedMs, published: population.agents.length, failures, composedMs: at - begun };
}

/** `commits` maps each node to the times at which its newer documents were committed, oldest first. */
function commit(commits, deployments, at) {
  for (const node of deployments.flatMap(({ nodes }) => nodes)) commits.set(node, [...(commits.get(node) ?? []), at]);
}

/**
 * Waits until every committed document has arrived; returns the delays in ms. A later generation also counts for the
 * earlier ones that it replaced.
 */
async function receipts(simulator, commits) {
  const told = { receipts: [], reports: [], newReports: [], problems: {} };
  const deadline = nowMs() + RECEIPT_DEADLINE_MS;
  while (missingOf(told.receipts, commits) > 0 && nowMs() < deadline) {
    await sleep(200);
    gather(told, await simulator.tell());
  }
  await sleep(COUNTS_MS);
  gather(told, await simulator.tell());
  return { ...told, missing: missingOf(told.receipts, commits), delays: delaysOf(told.receipts, commits) };
}

function gather(told, { receipts: received, reports, newReports, problems, lagMs }) {
  told.lagMs = Math.max(told.lagMs ?? 0, lagMs);
  for (const one of received) told.receipts.push(one);
  for (const one of reports) told.reports.push(one);
  for (const one of newReports) told.newReports.push(one);
  for (const [problem, times] of Object.entries(problems))
    told.problems[problem] = (told.problems[problem] ?? 0) + times;
}

function missingOf(received, commits) {
  const arrived = new Map(received.map(([node, , at]) => [node, at]));
  return [...commits].filter(([node, moments]) => !(arrived.get(node) > moments.at(-1) - 1)).length;
}

function delaysOf(received, commits) {
  const delays = [];
  for (const [node, , at] of received) {
    const moments = commits.get(node) ?? [];
    while (moments.length > 0 && moments[0] <= at + 1) delays.push(Math.max(0, at - moments.shift()));
  }
  return delays.sort((a, b) => a - b);
}

/** The first statuses are changes of all nodes on new connections. Waits until the gateway has processed them. */
async function caughtUp(simulator) {
  await sleep(2 * INTERVAL_MS);
  for (let tries = 0; tries < 12; tries += 1) {
    await simulator.tell();
    await sleep(INTERVAL_MS / 2);
    const { reports } = await simulator.tell();
    if (Math.max(...reports) < INTERVAL_MS / 10) return;
  }
  note('the gateway is still behind with the first statuses');
}

const sleep = (ms) => new Promise((later) => setTimeout(later, Math.max(0, ms)));
const note = (text) => process.stderr.write(`  ${text}\n`);
