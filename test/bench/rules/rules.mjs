// Rules: the time from the request that adds or deletes an access rule at the real API until the gate of every node
// enforces it. Fifty nodes in another process, all changed at once.
import { fileURLToPath } from 'node:url';
import { startGateway } from '../agents/gateway.mjs';
import { Population } from '../agents/population.mjs';
import { nowMs } from '../agents/simulated-agent.mjs';
import { openSimulator } from '../agents/simulator-process.mjs';
import { quantile, round, stealShare, within } from '../measure.mjs';
import { freePort } from '../free-port.mjs';

const NODES = 50;
const SIMULATOR_CORE = 1;
const GATED_AGENTS = fileURLToPath(new URL('gated-agents.mjs', import.meta.url));
const DEADLINE_MS = 30_000;
const LOOK_MS = 20;
const RULE = { cidr_blocks: ['10.0.0.0/8'], rules: { broker_tcp: true } };

export async function benchRules(world, rounds) {
  const population = await Population.open(world, NODES);
  const simulator = openSimulator(SIMULATOR_CORE, GATED_AGENTS);
  try {
    const gateway = await startGateway(world);
    const api = await startApi(world);
    await simulator.connect({ port: gateway.port, nodes: population.agents });
    const steal = stealShare().now;
    const took = { added: [], deleted: [], answered: [] };
    for (let turn = -1; turn < rounds; turn += 1) {
      const added = await change(population, simulator, api, took, 'added', turn);
      await change(population, simulator, api, took, 'deleted', turn, added);
    }
    return report(took, rounds, stealShare(steal).share);
  } finally {
    simulator.close();
    await population.close();
  }
}

/**
 * One change of every deployment at once. The first turn warms up and does not count. Returns the rules by deployment.
 */
async function change(population, simulator, api, took, kind, turn, rules = new Map()) {
  const sent = new Map();
  const made = new Map();
  const answers = population.deployments.map(async ({ id, nodes }) => {
    for (const node of nodes) sent.set(node, { at: nowMs(), deployment: id });
    const begun = nowMs();
    made.set(id, await (kind === 'added' ? api.add(id, `rule-${turn}`) : api.delete(id, rules.get(id))));
    if (turn >= 0) took.answered.push(nowMs() - begun);
  });
  const waiting = new Map(sent);
  const early = [];
  const deadline = nowMs() + DEADLINE_MS;
  await Promise.all(answers);
  while (waiting.size > 0 && nowMs() < deadline) {
    const { enforced, problems } = await simulator.tell();
    if (Object.keys(problems).length > 0) throw new Error(`the agents had trouble: ${JSON.stringify(problems)}`);
    for (const [node, ids, at] of [...early.splice(0), ...enforced]) {
      const { at: begun, deployment } = waiting.get(node) ?? {};
      const rule = kind === 'added' ? made.get(deployment) : rules.get(deployment);
      if (begun === undefined || ids.includes(rule) !== (kind === 'added')) continue;
      waiting.delete(node);
      if (turn >= 0) took[kind].push(at - begun);
    }
    if (waiting.size > 0) await new Promise((later) => setTimeout(later, LOOK_MS));
  }
  if (waiting.size > 0) throw new Error(`${waiting.size} nodes do not enforce what was ${kind}`);
  return made;
}

async function startApi(world) {
  const port = await freePort();
  await world.serve(
    'dist/apps/supervisor/src/main.js',
    {
      DATABASE_URL: world.installation.role_urls.supervisor,
      LANDLORD_ROLE: 'api',
      SUPERVISOR_CELL: 'bench',
      SUPERVISOR_PORT: String(port),
      LANDLORD_SECRET_KEYS: world.secretKeys,
      LANDLORD_DATA_DIR: world.dataDir,
      LOCAL_BROKER: 'embedded',
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'warn',
    },
    `http://127.0.0.1:${port}/health/ready`,
  );
  const call = async (method, path, body) => {
    const headers = { 'ld-api-key': world.installation.api_key, 'content-type': 'application/json' };
    const answer = await fetch(`http://127.0.0.1:${port}/deployments/${path}`, { method, headers, body });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  return {
    async add(deployment, name) {
      const answer = await call('POST', `${deployment}/access_rules`, JSON.stringify({ name, ...RULE }));
      return (await answer.json()).id;
    },
    async delete(deployment, rule) {
      await call('DELETE', `${deployment}/access_rules/${rule}`);
      return rule;
    },
  };
}

function report({ added, deleted, answered }, rounds, steal) {
  const p99 = (values) => round(quantile(values, 0.99), 0);
  const p50 = (values) => round(quantile(values, 0.5), 0);
  for (const values of [added, deleted, answered]) values.sort((a, b) => a - b);
  const row = (name, values) => ({
    name: `${NODES} nodes at once: a rule is ${name} → enforced, p99, ms`,
    median: p99(values),
    target: '≤ 1000',
    verdict: within(p99(values), 1000),
  });
  return {
    rows: [row('added', added), row('deleted', deleted)],
    detail: {
      rounds,
      samples: added.length + deleted.length,
      added_ms: { p50: p50(added), p99: p99(added), longest: round(added.at(-1), 0) },
      deleted_ms: { p50: p50(deleted), p99: p99(deleted), longest: round(deleted.at(-1), 0) },
      answered_ms: { p50: p50(answered), p99: p99(answered) },
    },
    steal_share: round(steal, 4),
  };
}
