// The process that plays the nodes: agents that poll the gateway, each with a real gate that enforces its access rules.
// The bench controls it with the messages connect and tell, and stops it with kill.
import { Gate } from '../../../dist/libs/host/src/gate/gate.js';
import { nowMs, SimulatedAgent } from '../agents/simulated-agent.mjs';

const SOCKETS = 64;
const REPORT_WITHIN_MS = 5_000;
let enforced = [];
let problems = {};

const count = (problem) => (problems[problem] = (problems[problem] ?? 0) + 1);

/** A gate with its tally. `setRules` returns after it has disconnected all clients that are no longer allowed. */
function gated() {
  const gate = new Gate(SOCKETS);
  return {
    received(id, generation, { spec }) {
      gate.setRules(spec.access_rules, 0);
      enforced.push([id, spec.access_rules.map((rule) => rule.id), nowMs()]);
    },
    reported: () => undefined,
    refused: (route, status) => count(`${route} ${status}`),
    failed: (error) => count(error.code ?? error.message),
  };
}

const VERBS = {
  async connect({ port, nodes }) {
    for (const [index, node] of nodes.entries()) {
      const agent = new SimulatedAgent(node, { port, index, keepsBoth: true, tally: gated() });
      void agent.poll();
      agent.reportIn(Math.random() * REPORT_WITHIN_MS);
    }
  },
  /** Returns [node, ids of the enforced rules, time] since the last call. */
  async tell() {
    const news = { enforced, problems };
    enforced = [];
    problems = {};
    return news;
  },
};

process.on('message', async ({ verb, id, ...rest }) => process.send({ id, answer: await VERBS[verb](rest) }));
process.on('disconnect', () => process.exit(0));
