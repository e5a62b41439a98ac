import { HostError } from '../../os/host-error.js';
import { isPortFree } from '../../os/ports.js';
import { until } from '../../os/until.js';
import type { Semaphore } from '../../os/semaphore.js';
import { STATUS_TEXTS } from '@libs/domain/agent-protocol';
import type { MachineDocument, MachineNode, MachineNodeState, MachineNodeStatus } from '@libs/domain/machine-protocol';
import { reasonOf } from '../../os/json-log.js';
import type { ProgramFolders } from '../programs/machine-programs.js';
import type { AgentUpgrade } from '../upgrade/agent-upgrade.js';
import type { Capacity } from './capacity.js';
import { NodeFailed } from './node-failed.js';
import type { NodeHost } from './node-host.js';
import type { AgentArtifacts, NodeRecord, NodeRecords } from './node-records.js';
import { ALL_ADDRESSES } from './process-nodes.js';

/** What a task of a node uses. */
export interface NodeTools {
  host: NodeHost;
  records: NodeRecords;
  capacity: Capacity;
  programs: ProgramFolders;
  /** Limits the nodes that start at the same time. */
  boots: Semaphore;
  /** Limits the agents that change to another program at the same time. */
  upgrades: Semaphore;
  agentUpgrade: Pick<AgentUpgrade, 'mayChangeNodes'>;
}

export type Outcome = Pick<MachineNodeStatus, 'state' | 'reason' | 'agent_sha256'>;
/** Reports a state while the task continues. */
type Report = (state: MachineNodeState, reason: string) => void;

/** One look at the node takes no longer than this. The copy continues until the next look. */
const COPY_LOOKS = { timeoutMs: 4_000, everyMs: 500 };

/** Brings one node to what the document says, once. Returns the state of the node, and never rejects. */
export async function bringNode(
  node: MachineNode,
  document: MachineDocument,
  tools: NodeTools,
  report: Report,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    if (node.intent === 'absent') return await endNode(node, tools, signal);
    const outcome = await startNode(node, document, tools, report, signal);
    if (outcome.state === 'active') await copyData(node, tools, signal);
    return outcome;
  } catch (error) {
    if (isFull(error)) return { state: 'failed', reason: 'The disk of the machine is full.' };
    const reason = reasonOf(error).slice(0, STATUS_TEXTS.reason);
    // Other errors come from the network or from an abort, and the next attempt may succeed.
    const needsPerson = error instanceof HostError;
    return { state: needsPerson ? 'failed' : 'pending', reason };
  }
}

/** Each look continues the copy. A node without a copy serves as well, so a failure of the copy is no failure of the node. */
async function copyData(
  { node_id, copy }: MachineNode,
  { host, records }: NodeTools,
  signal: AbortSignal,
): Promise<void> {
  const record = records.find(node_id);
  if (copy === undefined) await host.copyData(node_id, null);
  if (copy === undefined || record === null || record.copied === copy.order) return;
  const hasEnded = await until(() => host.copyData(node_id, copy), { ...COPY_LOOKS, signal });
  if (hasEnded) await records.write({ ...record, copied: copy.order });
}

const isFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException | null)?.code ?? '');

/** A node without a record has never been started, so its ports may belong to other programs. */
async function endNode({ node_id }: MachineNode, tools: NodeTools, signal: AbortSignal): Promise<Outcome> {
  await destroy({ node_id, ports: tools.records.find(node_id)?.ports ?? [] }, tools, signal);
  return { state: 'gone' };
}

async function startNode(
  node: MachineNode,
  document: MachineDocument,
  tools: NodeTools,
  report: Report,
  signal: AbortSignal,
): Promise<Outcome> {
  const { host, capacity } = tools;
  const record = await fenced(node, tools, report, signal);
  const artifacts = artifactsFor(node, document, record, tools);
  const desired = { node, document, artifacts };
  if (record !== null && (await host.answers(node.node_id))) {
    if (isSame(record.agent, artifacts)) return activeWith(artifacts);
    return tools.upgrades.run(() => changeAgent(desired, record, tools, signal), signal);
  }
  if (record === null) {
    capacity.claim(node.node_id, node);
    // Something of the node may be left where a record was lost.
    await host.destroy({ node_id: node.node_id, ports: [] }, signal);
  }
  const isRunning = await host.isRunning(node.node_id);
  if (!isRunning) await requireFreePorts(node);
  report(
    'pending',
    record === null ? 'The programs of the node are being fetched.' : 'The node is being started again.',
  );
  // A broker that runs may still read files of the programs that it was started with.
  return start(desired, isRunning && record !== null ? record.programs : [], tools, signal);
}

/** A node to start, and the artifacts of its agent. */
interface Wanted {
  node: MachineNode;
  document: MachineDocument;
  artifacts: AgentArtifacts;
}

async function start(
  { node, document, artifacts }: Wanted,
  stillUsed: readonly string[],
  { host, records, programs: folders, boots }: NodeTools,
  signal: AbortSignal,
): Promise<Outcome> {
  const programs = await folders.bring(node.broker, { ...document.programs, ...artifacts }, signal);
  const { copied } = records.find(node.node_id) ?? {};
  await records.write({
    ...pick(node),
    ...(copied !== undefined && { copied }),
    programs: [...new Set([...programs.folders, ...stillUsed])],
    agent: artifacts,
  });
  const { allow_private_destinations: allowPrivateDestinations } = document;
  const boot = (): Promise<boolean> => host.start({ node, programs, allowPrivateDestinations }, signal);
  const works = await boots.run(boot, signal);
  return works ? activeWith(artifacts) : { state: 'pending', reason: 'The agent of the node does not answer yet.' };
}

/** Starts the agent of a running node with other programs. Its brokers continue. */
async function changeAgent(
  desired: Wanted,
  record: NodeRecord,
  tools: NodeTools,
  signal: AbortSignal,
): Promise<Outcome> {
  const { node, document, artifacts } = desired;
  // Everything is on the disk before the old agent ends. After a failure, the status names the old program, and the next look tries again.
  const whole = tools.programs.bring(node.broker, { ...document.programs, ...artifacts }, signal);
  if ((await whole.catch(() => null)) === null) return activeWith(record.agent);
  await tools.host.endAgent(node.node_id, signal);
  return start(desired, record.programs, tools, signal);
}

/** The agent of a node keeps its programs until the machine agent runs with those of the document. */
function artifactsFor(
  { broker }: MachineNode,
  document: MachineDocument,
  record: NodeRecord | null,
  { agentUpgrade }: NodeTools,
): AgentArtifacts {
  if (record !== null && !agentUpgrade.mayChangeNodes(document)) return record.agent;
  const { agent, embedded } = document.programs;
  return { agent, ...(broker === 'embedded' && embedded !== undefined && { embedded }) };
}

const isSame = (one: AgentArtifacts, other: AgentArtifacts): boolean =>
  one.agent.sha256 === other.agent.sha256 && one.embedded?.sha256 === other.embedded?.sha256;

const activeWith = ({ agent }: AgentArtifacts): Outcome => ({ state: 'active', agent_sha256: agent.sha256 });

/**
 * The record of this incarnation, or null. Ends and deletes an earlier incarnation first: two incarnations of a node must never run at
 * once.
 */
async function fenced(
  node: MachineNode,
  tools: NodeTools,
  report: Report,
  signal: AbortSignal,
): Promise<NodeRecord | null> {
  const record = tools.records.find(node.node_id);
  if (record === null || record.incarnation === node.incarnation) return record;
  if (record.incarnation > node.incarnation)
    throw new NodeFailed(
      `The machine has incarnation ${record.incarnation} of the node, which is later than ${node.incarnation}. Replace the node.`,
    );
  report('pending', 'The earlier incarnation of the node is being deleted.');
  await destroy(record, tools, signal);
  return null;
}

async function destroy(
  node: Pick<MachineNode, 'node_id' | 'ports'>,
  { host, records, capacity }: NodeTools,
  signal: AbortSignal,
): Promise<void> {
  await host.destroy(node, signal);
  await records.remove(node.node_id);
  capacity.release(node.node_id);
}

async function requireFreePorts({ ports }: MachineNode): Promise<void> {
  for (const port of ports)
    if (!(await isPortFree(ALL_ADDRESSES, port)))
      throw new NodeFailed(`Port ${port} of the node is in use by another program of the machine. Stop that program.`);
}

const pick = ({ node_id, incarnation, ports, memory_mib, disk_gib }: MachineNode) => ({
  ...{ node_id, incarnation, ports, memory_mib, disk_gib },
});
