import { Injectable } from '@nestjs/common';
import type { ResourceAttributes } from '@libs/cloud';
import { noCapacityElsewhere } from '@libs/domain';
import {
  MachineMovesRepository,
  NodeAgentsRepository,
  NodeRevivalsRepository,
  NodesRepository,
  RuntimesRepository,
  type DeploymentFacts,
  type NodeRow,
  type OrderRow,
} from '@libs/persistence/runtime';
import { StepImpossible, type OperationRow } from '@libs/workflow';
import { archiveLimitBytes, moveObjects } from '../../platform/index.js';
import { RestoreNodes } from '../backups/restore-nodes.js';
import type { StoredArchive } from '../backups/verify-archive.js';
import { deploymentOf } from '../subject.js';

/** Something else changes the deployment at this moment. The step runs again. */
class NotQuiet extends Error {}
/** Another node took the capacity between the check and the move. The step runs again. */
class CapacityTaken extends Error {}

/** The node that an operation moves: where it is, and what it is to do. `memo.node_id` and `memo.machine_id` name both. */
@Injectable()
export class MovingNode {
  constructor(
    private readonly moves: MachineMovesRepository,
    private readonly nodes: NodesRepository,
    private readonly agents: NodeAgentsRepository,
    private readonly revivals: NodeRevivalsRepository,
    private readonly runtimes: RuntimesRepository,
    private readonly restored: RestoreNodes,
  ) {}

  async get(operation: OperationRow): Promise<NodeRow> {
    const [node] = await this.nodes.listOf([nodeOf(operation)]);
    if (!node) throw new StepImpossible('the node no longer exists');
    return node;
  }

  /** @throws StepImpossible when the node is not on the machine that it is to leave, or is no longer to leave it */
  async requireLeaving(operation: OperationRow): Promise<void> {
    const home = await this.moves.home(nodeOf(operation));
    if (home?.machine_id !== operation.memo['machine_id'])
      throw new StepImpossible('the node is no longer on the machine that it was to leave');
    if (home?.machine_status !== 'draining') throw new StepImpossible('the machine is no longer drained');
  }

  /** @throws StepImpossible when the brokers of the deployment were not told to stop, because an operator has skipped a step */
  async requireStopped(operation: OperationRow): Promise<void> {
    const runtime = await this.runtimes.find(deploymentOf(operation));
    if (runtime?.status !== 'restoring') throw new StepImpossible('the brokers of the deployment were not stopped');
  }

  /** @throws StepImpossible when no other machine of the zone has capacity for the node */
  async requireCapacity(operation: OperationRow): Promise<void> {
    const shortage = await this.moves.shortageElsewhere(nodeOf(operation));
    if (shortage === null) return;
    const { zone } = await this.get(operation);
    throw new StepImpossible(noCapacityElsewhere(shortage, zone ?? 'its zone'));
  }

  /**
   * Stops all brokers of the deployment. The lock of the status comes first: from then on no backup starts, which would find an
   * empty node. Runs in the transaction of the caller, like all methods that write.
   */
  async stop(operation: OperationRow, reason: string): Promise<void> {
    const id = deploymentOf(operation);
    if (!(await this.runtimes.moveFrom(id, 'initialized', 'restoring')))
      throw new NotQuiet('the deployment does not serve');
    if (await this.moves.hasOtherWork(id, operation.id)) throw new NotQuiet('another operation of the deployment runs');
    await this.runtimes.explain(id, 'restoring', reason);
    await this.restored.hold(operation);
  }

  /** Orders the stopped node to store its data. */
  async orderArchive(operation: OperationRow, { id, storage_size: storageSize }: NodeRow): Promise<void> {
    const key = `${moveObjects(deploymentOf(operation), operation.id)}${id}.tar.gz`;
    const objects = { data: { key, limit_bytes: archiveLimitBytes(storageSize) } };
    await this.restored.work.give(operation, [{ nodeId: id, kind: 'archive_data', objects }]);
  }

  /** From here on the stored archive is the only copy of the data: the machine removes the node, and another one gets it. */
  async leave(operation: OperationRow): Promise<void> {
    const shortage = await this.moves.moveElsewhere(nodeOf(operation));
    if (shortage !== null) throw new CapacityTaken(`another node took the capacity: ${shortage}`);
    await this.fence(operation);
  }

  /** The next agent of the node gets a token of its own, and the earlier one is refused. */
  async fence(operation: OperationRow): Promise<void> {
    await this.agents.replace(nodeOf(operation));
    await this.revivals.forgetGone(nodeOf(operation));
  }

  /** Whether an operator has removed the machine of the node. */
  async isGone(operation: OperationRow): Promise<boolean> {
    return (await this.moves.home(nodeOf(operation))) === null;
  }

  /** Whether the node is gone, and an agent on its machine has used the token of the node. */
  async isLost(operation: OperationRow): Promise<boolean> {
    if (!(await this.isGone(operation))) return false;
    const agent = await this.agents.find(nodeOf(operation));
    return agent !== null && agent.credentialHash !== null;
  }

  /** Stores the new address of the node, and orders the node to take the data. */
  async orderData(
    operation: OperationRow,
    { id }: NodeRow,
    { public_ip_enabled: isPublic }: DeploymentFacts,
    { private_ip: privateIp, public_ip, zone, image_id: imageId }: ResourceAttributes['node'],
  ): Promise<void> {
    await this.restored.work.withdraw(operation);
    await this.nodes.place(id, { privateIp, publicIp: isPublic ? public_ip : null, zone, imageId });
    // The other nodes of the deployment connect to this one. All are held, and learn its address.
    await this.restored.hold(operation);
    await this.restored.replaceData(operation, [archiveOf(operation)]);
  }

  /** The order to take the data. Undefined: the node has none, or another one. */
  async orderOfData(operation: OperationRow): Promise<OrderRow | undefined> {
    return (await this.restored.work.orders(operation)).find(({ kind }) => kind === 'restore_data');
  }

  async noteFailure(operation: OperationRow, reason: string): Promise<void> {
    await this.moves.noteFailure(nodeOf(operation), reason);
  }
}

/** Whether the old node is given up, so that only the stored archive has the data. */
export const hasLeft = ({ memo }: OperationRow): boolean => memo['left'] === true;

/** @throws StepImpossible without an archive */
export function archiveOf({ memo }: OperationRow): StoredArchive {
  const archive = memo['archive'] as StoredArchive | undefined;
  if (!archive) throw new StepImpossible('the data of the node is not stored');
  return archive;
}

/** @throws StepImpossible when the node is done but reports no results */
export function archived([order]: readonly OrderRow[]): StoredArchive {
  if (!order?.results.data || !order.objects.data) throw new StepImpossible('the node did not report the stored data');
  return { node_id: order.nodeId, object_key: order.objects.data.key, ...order.results.data };
}

const nodeOf = ({ memo }: OperationRow): number => Number(memo['node_id']);
