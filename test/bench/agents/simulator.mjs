// The process that plays the agents. The bench controls it with the messages connect, report and tell, and stops it
// with kill.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { nowMs, SimulatedAgent } from './simulated-agent.mjs';

/** New connections per second. A start of all agents at once would be another measurement. */
const CONNECTS_PER_SECOND = 1_000;
const TICK_MS = 20;

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
let agents = [];
let told = fresh();
const tally = {
  received: (id, generation) => told.receipts.push([id, generation, nowMs()]),
  reported: (ms, isKept) => (isKept ? told.reports : told.newReports).push(ms),
  refused: (route, status) => count(`${route} ${status}`),
  failed: (error) => count(error.code ?? error.message),
};

function fresh() {
  return { receipts: [], reports: [], newReports: [], problems: {} };
}

function count(problem) {
  told.problems[problem] = (told.problems[problem] ?? 0) + 1;
}

const VERBS = {
  /** Opens a long poll for each agent. */
  async connect({ port, nodes, keptPairs }) {
    agents = nodes.map((node, index) => new SimulatedAgent(node, { port, index, keepsBoth: index < keptPairs, tally }));
    const perTick = Math.max(1, (CONNECTS_PER_SECOND * TICK_MS) / 1000);
    for (let at = 0; at < agents.length; at += perTick) {
      for (const agent of agents.slice(at, at + perTick)) void agent.poll();
      await new Promise((later) => setTimeout(later, TICK_MS));
    }
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
