// The process that plays the agents. The bench controls it with the messages connect, report and tell, and stops it
// with kill.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Connection } from './connection.mjs';
import { addressOf, nowMs, SimulatedAgent } from './simulated-agent.mjs';

/** New connections per second. A start of all agents at once would be another measurement. */
const CONNECTS_PER_SECOND = 1_000;
const TICK_MS = 20;

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
let agents = [];
let parked = [];
/** Agents whose status was taken since the last storm. */
let returned = new Map();
let told = fresh();
const tally = {
  received: (id, generation) => told.receipts.push([id, generation, nowMs()]),
  reported(ms, isKept, takenOf) {
    (isKept ? told.reports : told.newReports).push(ms);
    if (takenOf !== null && !returned.has(takenOf)) returned.set(takenOf, nowMs());
  },
  refused: (route, status) => count(`${route} ${status}`),
  failed: (error) => count(error.code ?? error.message),
};

function fresh() {
  return { receipts: [], reports: [], newReports: [], problems: {} };
}

function count(problem) {
  told.problems[problem] = (told.problems[problem] ?? 0) + 1;
}

/** The bytes of a poll, which a bare server only reads. */
const PARKED = `GET /agent/v1/desired?timeline=1&since=1&wait=25 HTTP/1.1\r\nauthorization: Bearer ${'x'.repeat(40)}\r\n\r\n`;

/** Starts `open` for each item, at most so many in a second. */
async function slowly(items, open) {
  const perTick = Math.max(1, (CONNECTS_PER_SECOND * TICK_MS) / 1000);
  for (let at = 0; at < items.length; at += perTick) {
    for (const item of items.slice(at, at + perTick)) open(item);
    await new Promise((later) => setTimeout(later, TICK_MS));
  }
}

const VERBS = {
  /** Opens a long poll for each agent. */
  async connect({ port, nodes, keptPairs, isTls }) {
    agents = nodes.map(
      (node, index) => new SimulatedAgent(node, { port, index, keepsBoth: index < keptPairs, tally, isTls }),
    );
    await slowly(agents, (agent) => void agent.poll());
  },
  /** Opens connections that send the first bytes of a request and wait. */
  async park({ port, count, isTls }) {
    parked = Array.from({ length: count }, (_, index) => new Connection(port, addressOf(index), isTls));
    await slowly(parked, (connection) => void connection.request(PARKED).catch(tally.failed));
  },
  async unpark() {
    for (const connection of parked.splice(0)) connection.close();
  },
  /** From now on, counts the agents whose status is taken. */
  async storm() {
    returned = new Map();
  },
  /** The number of agents whose status was taken since the storm, and the time of the last one of them. */
  async returned() {
    return { count: returned.size, lastMs: Math.max(0, ...returned.values()) };
  },
  /** Starts the reports of all agents, each for the first time at a random time within one interval. */
  async report({ withinMs }) {
    for (const agent of agents) agent.reportIn(Math.random() * withinMs);
  },
  /** Returns the events since the last call. */
  async tell() {
    // A slow simulator would look like a slow gateway.
    const news = { ...told, lagMs: Math.round(delay.percentile(99) / 1e6) };
    delay.reset();
    told = fresh();
    return news;
  },
};

process.on('message', async ({ verb, id, ...rest }) => process.send({ id, answer: await VERBS[verb](rest) }));
process.on('disconnect', () => process.exit(0));
