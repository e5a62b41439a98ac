import { CloudError, isPortFree, type BootSlots } from '@libs/cloud/local-nodes';
import type { MachineDocument, MachineNode, MachineNodeState, MachineNodeStatus } from '@libs/domain/machine-protocol';
import { reasonOf } from '@libs/broker/runtime';
import type { ProgramFolders } from '../programs/machine-programs.js';
import type { Capacity } from './capacity.js';
import { NodeFailed } from './node-failed.js';
import type { NodeHost } from './node-host.js';
import type { NodeRecord, NodeRecords } from './node-records.js';
import { ALL_ADDRESSES } from './process-nodes.js';

/** Limit of a reason in the protocol, in UTF-16 units. */
const LONGEST_REASON = 1_000;

/** What a task of a node uses. */
export interface NodeTools {
  host: NodeHost;
  records: NodeRecords;
  capacity: Capacity;
  programs: ProgramFolders;
  /** Limits the nodes that start at the same time. */
  boots: BootSlots;
}

type Outcome = Pick<MachineNodeStatus, 'state' | 'reason'>;
/** Reports a state while the task continues. */
type Report = (state: MachineNodeState, reason: string) => void;

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
    return await startNode(node, document, tools, report, signal);
  } catch (error) {
    if (isFull(error)) return { state: 'failed', reason: 'The disk of the machine is full.' };
    const reason = reasonOf(error).slice(0, LONGEST_REASON);
    // Other errors come from the network or from an abort, and the next attempt may succeed.
    const needsPerson = error instanceof NodeFailed || error instanceof CloudError;
    return { state: needsPerson ? 'failed' : 'pending', reason };
  }
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
  const { host, records, capacity } = tools;
  const held = await fenced(node, tools, report, signal);
  if (held !== null && (await host.answers(node.node_id))) return { state: 'active' };
  if (held === null) {
    capacity.claim(node.node_id, node);
    // Something of the node may be left where a record was lost.
    await host.destroy({ node_id: node.node_id, ports: [] }, signal);
  }
  if (!(await host.isRunning(node.node_id))) await requireFreePorts(node);
  report('pending', held === null ? 'The programs of the node are being fetched.' : 'The node is being started again.');
  const programs = await tools.programs.bring(node.broker, document.programs, signal);
  await records.write(recordOf(node, programs.folders));
  const { allow_private_destinations: allowPrivateDestinations } = document;
  const start = (): Promise<boolean> => host.start({ node, programs, allowPrivateDestinations }, signal);
  const works = await tools.boots.run(start, signal);
  return works ? { state: 'active' } : { state: 'pending', reason: 'The agent of the node does not answer yet.' };
}

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
  const held = tools.records.find(node.node_id);
  if (held === null || held.incarnation === node.incarnation) return held;
  if (held.incarnation > node.incarnation)
    throw new NodeFailed(
      `The machine has incarnation ${held.incarnation} of the node, which is later than ${node.incarnation}. Replace the node.`,
    );
  report('pending', 'The earlier incarnation of the node is being deleted.');
  await destroy(held, tools, signal);
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

const recordOf = (node: MachineNode, programs: string[]): NodeRecord => ({
  node_id: node.node_id,
  incarnation: node.incarnation,
  ports: node.ports,
  memory_mib: node.memory_mib,
  disk_gib: node.disk_gib,
  programs,
});
