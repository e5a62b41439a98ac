// A storm of reconnections: the gateway is killed and starts again at the same port, and all agents come back.
import { cpuMicroseconds, round } from '../measure.mjs';
import { nowMs } from './simulated-agent.mjs';

const DEADLINE_MS = 120_000;

/** Seconds from the kill and from the new start until the status of every agent was taken, and the answers that were refusals. */
export async function storm({ simulator, gateway, agents }) {
  await simulator.tell();
  await simulator.storm();
  const killedAt = nowMs();
  await gateway.restart();
  const readyAt = nowMs();
  const before = [gateway.pid, simulator.pid].map(cpuMicroseconds);
  const problems = {};
  let back = await simulator.returned();
  while (back.count < agents && nowMs() - readyAt < DEADLINE_MS) {
    await new Promise((later) => setTimeout(later, 200));
    back = await simulator.returned();
  }
  Object.assign(problems, (await simulator.tell()).problems);
  const [gatewayCpu, simulatorCpu] = [gateway.pid, simulator.pid].map(
    (pid, index) => (cpuMicroseconds(pid) - before[index]) / 1e3 / (nowMs() - readyAt),
  );
  const isComplete = back.count >= agents;
  return {
    returned: back.count,
    fromKill: isComplete ? (back.lastMs - killedAt) / 1000 : Infinity,
    fromReady: isComplete ? (back.lastMs - readyAt) / 1000 : Infinity,
    refusedByServer: Object.entries(problems)
      .filter(([problem]) => / 5\d\d$/.test(problem))
      .reduce((sum, [, times]) => sum + times, 0),
    problems,
    cpuShares: { gateway: round(gatewayCpu), simulator: round(simulatorCpu) },
  };
}
