import { appendFile, readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { BROKER_OF_THE_RUN, type AppProcess, type SeededRandom } from '@libs/testing';
import type { FaultCloud } from './fault-cloud.js';
import { ResourceCalls } from './resource-calls.js';
import { isSkewed, startSkewed } from './skewed-clock.js';

/**
 * A fault; resolves after the fault was applied and, for a temporary one, removed. False: the moment of the fault did not come.
 */
export type Fault = (hurt: FaultCloud, random: SeededRandom) => Promise<void | boolean>;

const DAY_MS = 24 * 3600_000;

export const FAULTS = {
  kill_main_api: (hurt, random) => killApp(hurt, hurt.cloud.mainApi, random),
  kill_supervisor: (hurt, random) => killApp(hurt, hurt.cloud.supervisor, random),
  kill_agent: (hurt, random) => killNodeProcess(hurt, random, (command) => command.includes('agent.main')),
  kill_broker: (hurt, random) => killNodeProcess(hurt, random, (command) => !command.includes('agent.main')),
  /** kill -9 between the row of a cloud resource and the end of its call. */
  kill_after_intent: async (hurt, random) => {
    const calls = await ResourceCalls.of(hurt.cloud);
    const hasCome = await calls.afterIntent(() => hurt.cloud.supervisor.kill());
    await startAgain(hurt, hurt.cloud.supervisor, random);
    return hasCome;
  },
  /** kill -9 between the call for a cloud resource and the record of its answer. */
  kill_before_record: async (hurt, random) => {
    const calls = await ResourceCalls.of(hurt.cloud);
    const hasCome = await calls.beforeRecord(() => hurt.cloud.supervisor.kill());
    await startAgain(hurt, hurt.cloud.supervisor, random);
    return hasCome;
  },
  /** All processes of a machine at once. */
  kill_node: async ({ cloud }, random) => {
    const all = await cloud.nodeProcesses();
    if (all.length === 0) return;
    const node = nodeFlagOf(random.pick(all).command);
    for (const { pid } of all.filter(({ command }) => nodeFlagOf(command) === node)) kill(pid);
  },
  /** Stops one process of a node for a time: its agent, the gate or the server. */
  pause_node_process: async ({ cloud }, random) => {
    const all = await cloud.nodeProcesses();
    if (all.length === 0) return;
    const { pid } = random.pick(all);
    kill(pid, 'SIGSTOP');
    await delay(random.between(500, 8_000));
    kill(pid, 'SIGCONT');
  },
  /** kill -9 of the postmaster, and its recovery. */
  restart_postgres: (hurt) => hurt.cloud.crashDatabase(),
  /** No effect without a queue in Redis: there is nothing to flush. */
  flush_redis: async ({ cloud: { redis } }, random) => {
    if (random.next() < 0.5) await redis?.flush();
    else await redis?.crash();
  },
  drop_agent_link: async ({ link }, random) => {
    link.cut();
    await delay(random.between(500, 9_000));
    link.mend();
  },
  /** A log is above its limit, so that a process that starts now has to rotate it on the full disk. */
  fill_disk: async ({ cloud, disk }, random) => {
    await growLog(cloud.directory);
    await disk?.fill();
    await delay(random.between(500, 4_000));
    await disk?.free();
  },
  /** The machine of a node restarts with a clock that is up to three days wrong. */
  skew_clock: async ({ cloud }, random) => {
    const agents = (await cloud.nodeProcesses()).filter(({ command }) => command.includes('agent.main'));
    if (agents.length === 0) return;
    const { pid, command } = random.pick(agents);
    const node = /--landlord-node=[^/]+\/(\d+)/.exec(command)?.[1] ?? '';
    for (const other of (await cloud.nodeProcesses()).filter((one) => one.command.includes(`/${node}`)))
      kill(other.pid);
    kill(pid);
    const directory = join(cloud.directory, 'nodes', node);
    // The node may be deleted at this moment; then there is no machine to restart.
    await startSkewed(command, directory, Math.round(random.between(-3, 3) * DAY_MS)).catch(() => undefined);
  },
  /** Sometimes longer than a lease. */
  pause_supervisor: async ({ cloud: { supervisor } }, random) => {
    const { pid } = supervisor;
    kill(pid, 'SIGSTOP');
    await delay(random.between(500, random.next() < 0.2 ? 17_000 : 5_000));
    kill(pid, 'SIGCONT');
  },
} as const satisfies Record<string, Fault>;

/** Faults for nodes whose broker is a server of its own. Other brokers keep the choices of their seeds. */
const OF_SERVERS = ['kill_node', 'pause_node_process'];

/** Faults that hit the calls for cloud resources. They run on request, so that other runs keep the choices of their seeds. */
export const OF_CALLS = ['kill_after_intent', 'kill_before_record'] as const satisfies (keyof typeof FAULTS)[];

export type FaultName = keyof typeof FAULTS;

/** The faults that are possible on this cloud. */
export function possibleFaults({ cloud, disk }: FaultCloud): FaultName[] {
  const impossible: string[] = [
    ...OF_CALLS,
    ...(cloud.redis ? [] : ['flush_redis']),
    ...(disk ? [] : ['fill_disk']),
    ...(BROKER_OF_THE_RUN === 'iggy' ? [] : OF_SERVERS),
  ];
  return (Object.keys(FAULTS) as FaultName[]).filter((name) => !impossible.includes(name));
}

async function killApp(hurt: FaultCloud, app: AppProcess, random: SeededRandom): Promise<void> {
  await app.kill();
  await startAgain(hurt, app, random);
}

async function startAgain(hurt: FaultCloud, app: AppProcess, random: SeededRandom): Promise<void> {
  await delay(random.between(0, 1_500));
  await hurt.keepRunning(app);
}

async function killNodeProcess(
  { cloud }: FaultCloud,
  random: SeededRandom,
  isMeant: (command: string) => boolean,
): Promise<void> {
  const all = await cloud.nodeProcesses();
  const found = all.filter(({ command }) => isMeant(command));
  if (found.length === 0) return;
  const chosen = random.pick(found);
  // A machine has one clock. Without its other processes, the next agent would have another clock than its broker.
  const node = nodeFlagOf(chosen.command);
  const machine = (await isSkewed(chosen.pid)) ? all.filter(({ command }) => nodeFlagOf(command) === node) : [chosen];
  for (const { pid } of machine) kill(pid);
}

/** Above the 5 MiB at which the logs of nodes are rotated. */
const GROWN = Buffer.from(`${JSON.stringify({ level: 'info', msg: 'grown' })}\n`.repeat(200_000));

/** Appends to the log of the agent of the first node, which exists as long as any. */
async function growLog(directory: string): Promise<void> {
  const [node] = (await readdir(join(directory, 'nodes')).catch(() => [])).sort();
  if (node === undefined) return;
  // The node may be deleted at this moment, and an earlier filler may leave no space.
  await appendFile(join(directory, 'nodes', node, 'agent.log'), GROWN).catch(() => undefined);
}

const nodeFlagOf = (command: string): string => /--landlord-node=\S+/.exec(command)?.[0] ?? '';

function kill(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended already: another fault was faster.
  }
}
