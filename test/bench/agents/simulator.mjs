// The process that plays the agents; the bench commands it by messages: connect, report, tell, and its end by kill.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { nowMs, SimulatedAgent } from './simulated-agent.mjs';

/** New connections a second: a herd that starts together is a measure of its own. */
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
  /** Parks a poll for each agent. */
  async connect({ port, nodes, keptPairs }) {
    agents = nodes.map((node, index) => new SimulatedAgent(node, { port, index, keepsBoth: index < keptPairs, tally }));
    const perTick = Math.max(1, (CONNECTS_PER_SECOND * TICK_MS) / 1000);
    for (let at = 0; at < agents.length; at += perTick) {
      for (const agent of agents.slice(at, at + perTick)) void agent.poll();
      await new Promise((later) => setTimeout(later, TICK_MS));
    }
  },
  /** Lets all report, the first time at any moment of one interval. */
  async report({ withinMs }) {
    for (const agent of agents) agent.reportIn(Math.random() * withinMs);
  },
  /** What happened since the last time. */
  async tell() {
    // A late simulator would look like a late gateway.
    const news = { ...told, lagMs: Math.round(delay.percentile(99) / 1e6) };
    delay.reset();
    told = fresh();
    return news;
  },
};

process.on('message', async ({ verb, id, ...rest }) => process.send({ id, answer: await VERBS[verb](rest) }));
process.on('disconnect', () => process.exit(0));
