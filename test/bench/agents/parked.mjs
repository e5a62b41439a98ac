// Many parked agents on one machine: as many gateways and simulators as the limit of open files asks for. Each agent keeps one
// poll. Measures the memory, and the time from a commit to the node.
import { quantile, residentBytes, round, stealShare, within } from '../measure.mjs';
import { selfSigned } from '../self-signed.mjs';
import { connectionsWithin, startGateway } from './gateway.mjs';
import { Population } from './population.mjs';
import { settledBytes } from './settled-bytes.mjs';
import { nowMs } from './simulated-agent.mjs';
import { openSimulator } from './simulator-process.mjs';

const CHANGED_DEPLOYMENTS = 1_000;
const BETWEEN_CHANGES_MS = 30;
const RECEIPT_DEADLINE_MS = 60_000;
const TARGET_MS = 1_000;

export async function benchParked(world, agents, tls) {
  const population = await Population.open(world, agents);
  process.stderr.write(`  ${agents} nodes are inserted\n`);
  const certificate = tls ? await selfSigned() : null;
  const perGateway = Math.min(agents, connectionsWithin());
  const parts = [];
  try {
    for (let first = 0; first < agents; first += perGateway)
      parts.push({
        gateway: await startGateway(world, certificate, { core: null }),
        simulator: openSimulator(),
        nodes: population.agents.slice(first, first + perGateway),
      });
    const steal = stealShare().now;
    const empty = await bytesOf(parts);
    const begun = nowMs();
    for (const { gateway, simulator, nodes } of parts)
      await simulator.connect({ port: gateway.port, nodes, keptPairs: 0, isTls: tls });
    const parked = await bytesOf(parts);
    const connectedMs = nowMs() - begun;
    const delays = await changes(population, parts);
    const p99 = delays.length === 0 ? Infinity : quantile(delays, 0.99);
    return {
      rows: [
        {
          name: `${agents} parked agents: commit → receipt p99, ms`,
          median: p99,
          target: `≤ ${TARGET_MS}`,
          verdict: within(p99, TARGET_MS),
        },
      ],
      detail: {
        agents,
        tls,
        gateways: parts.length,
        settled_s: round(connectedMs / 1000, 0),
        kib_an_agent: round((parked - empty) / agents / 1024, 1),
        gateways_mib: round(parked / 2 ** 20, 0),
        changed_nodes: delays.length,
        receipt_ms: { p50: round(quantile(delays, 0.5), 1), p99: round(p99, 1), last: round(delays.at(-1), 1) },
      },
      steal_share: round(stealShare(steal).share, 4),
    };
  } finally {
    for (const { simulator } of parts) simulator.close();
    await population.close();
  }
}

async function bytesOf(parts) {
  for (const { gateway } of parts) await settledBytes(gateway.pid);
  return parts.reduce((sum, { gateway }) => sum + residentBytes(gateway.pid), 0);
}

/** Changes deployments all over the population, and returns the ascending delays. Fails when a document does not arrive. */
async function changes(population, parts) {
  const { deployments } = population;
  const commits = new Map();
  const step = Math.max(1, Math.floor(deployments.length / CHANGED_DEPLOYMENTS));
  for (let at = 0; at < deployments.length; at += step) {
    const committedAt = await population.change([deployments[at]]);
    for (const node of deployments[at].nodes) commits.set(node, committedAt);
    await new Promise((later) => setTimeout(later, BETWEEN_CHANGES_MS));
  }
  const arrived = new Map();
  const deadline = nowMs() + RECEIPT_DEADLINE_MS;
  while (arrived.size < commits.size) {
    if (nowMs() > deadline)
      throw new Error(`${commits.size - arrived.size} of ${commits.size} documents did not arrive`);
    for (const { simulator } of parts)
      for (const [node, , at] of (await simulator.tell()).receipts) if (commits.has(node)) arrived.set(node, at);
    await new Promise((later) => setTimeout(later, 200));
  }
  return [...arrived].map(([node, at]) => Math.max(0, at - commits.get(node))).sort((a, b) => a - b);
}
