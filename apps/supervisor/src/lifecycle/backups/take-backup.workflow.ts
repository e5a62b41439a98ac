import { Injectable } from '@nestjs/common';
import type { Resource } from '@libs/cloud';
import type { BackupId, NodeId } from '@libs/domain';
import { ObjectStore } from '@libs/object-store';
import {
  BackupsRepository,
  DataKeysRepository,
  NodesRepository,
  type BackupSnapshot,
  type NewOrder,
  type NodeRow,
  type OrderRow,
} from '@libs/persistence/runtime';
import {
  done,
  hop,
  nap,
  stepTable,
  StepImpossible,
  type Failure,
  type OperationRow,
  type StepContext,
  type StepsOf,
  type Workflow,
} from '@libs/workflow';
import { archiveLimitBytes, backupArchive, backupObjects } from '../../platform/index.js';
import { DeploymentLedger } from '../deployment-ledger.js';
import { DeploymentResources } from '../deployment-resources.js';
import { pollLater } from '../poll-later.js';
import { NodeWork } from '../node-work.js';
import { deploymentOf } from '../subject.js';
import { NodeSnapshots } from './node-snapshots.js';

export const TAKE_BACKUP = stepTable({
  freezing_nodes: { to: ['uploading', 'taking_snapshots'], deadline: '1m', giveUpAfter: '5m' },
  uploading: { to: [], deadline: '30m', giveUpAfter: '6h', undoneBy: 'discarding_objects' },
  taking_snapshots: {
    to: ['completing_snapshots'],
    deadline: '30m',
    giveUpAfter: '6h',
    undoneBy: 'discarding_objects',
  },
  completing_snapshots: { to: [], deadline: '2h', giveUpAfter: '24h', undoneBy: 'discarding_objects' },
  discarding_objects: { to: [], deadline: '10m', isUndo: true },
});

/**
 * Copies the data of each node at one moment: as an archive to the object store, or by a snapshot where the provider takes snapshots of
 * disks. Clients notice a pause of writes. The backup is complete when every copy is. A failed backup leaves no copies.
 */
@Injectable()
export class TakeBackup implements Workflow, StepsOf<typeof TAKE_BACKUP, StepContext> {
  readonly type = 'take_backup';
  readonly table = TAKE_BACKUP;
  readonly steps = this as unknown as Workflow['steps'];

  constructor(
    private readonly nodes: NodesRepository,
    private readonly backups: BackupsRepository,
    private readonly dataKeys: DataKeysRepository,
    private readonly store: ObjectStore,
    private readonly work: NodeWork,
    private readonly snapshots: NodeSnapshots,
    private readonly resources: DeploymentResources,
    private readonly ledger: DeploymentLedger,
  ) {}

  async freezing_nodes({ operation }: StepContext) {
    const { id: backupId, nodeId } = await this.backup(operation);
    const all = await this.nodes.list(deploymentOf(operation));
    const targets = nodeId === null ? all : all.filter(({ id }) => id === nodeId);
    if (targets.length === 0) throw new StepImpossible('the node no longer exists');
    const deploymentId = deploymentOf(operation);
    const keyId = await this.dataKeys.idOf(deploymentId);
    const bySnapshots = await this.snapshots.areTakenBy(
      deploymentId,
      targets.map(({ id }) => id),
    );
    const orders = targets.map((node) => (bySnapshots ? freezing(node) : archiving(node, backupId)));
    return hop(bySnapshots ? 'taking_snapshots' : 'uploading', {
      write: async () => {
        await this.backups.start(operation.id, keyId);
        await this.work.give(operation, orders);
      },
    });
  }

  async uploading({ operation, signal }: StepContext) {
    const outcome = await this.work.outcome(operation, signal);
    if (typeof outcome === 'string') return nap('1s', outcome);
    const { id } = await this.backup(operation);
    const snapshots = outcome.map((order) => toSnapshot(order, id));
    return done({
      write: async () => {
        await this.backups.complete(operation.id, snapshots);
        await this.work.withdraw(operation);
      },
    });
  }

  /** The nodes keep the frozen data until each snapshot has its moment. */
  async taking_snapshots({ operation, signal }: StepContext) {
    const outcome = await this.work.outcome(operation, signal);
    if (typeof outcome === 'string') return nap('1s', outcome);
    const frozen = outcome.map(toFrozen);
    const { id } = await this.backup(operation);
    const nodes = frozen.map(({ node_id: nodeId }) => nodeId);
    const taken = await this.snapshots.take(operation, id, nodes, signal);
    const unborn = taken.filter(({ attributes }) => !attributes.is_taken);
    if (unborn.length > 0) return pollLater(unborn, 'the provider begins snapshots');
    return hop('completing_snapshots', { memo: { frozen }, write: () => this.work.withdraw(operation) });
  }

  /** The provider copies in the background. */
  async completing_snapshots({ operation, signal }: StepContext) {
    const { id } = await this.backup(operation);
    const frozen = operation.memo['frozen'] as FrozenData[];
    const nodes = frozen.map(({ node_id: nodeId }) => nodeId);
    const found = await this.snapshots.find(deploymentOf(operation), id, nodes, signal);
    const taken = frozen.map((data) => ({ data, snapshot: requireTaken(found.get(data.node_id), data) }));
    const pending = taken.map(({ snapshot }) => snapshot).filter(({ state }) => state !== 'active');
    if (pending.length > 0) return pollLater(pending, pending[0]?.reason ?? 'the provider takes snapshots');
    const rows = taken.map(({ data, snapshot: { attributes } }) => {
      const { snapshot_id, volume_id } = attributes;
      return { ...data, snapshot_id, volume_id, object_key: null };
    });
    return done({ write: () => this.backups.complete(operation.id, rows) });
  }

  async discarding_objects({ operation, signal }: StepContext) {
    const { id, nodeId } = await this.backup(operation);
    const deploymentId = deploymentOf(operation);
    await this.store.removeBelow(backupObjects(deploymentId, id));
    const nodes = nodeId === null ? (await this.nodes.list(deploymentId)).map((node) => node.id) : [nodeId];
    if (!(await this.snapshots.areTakenBy(deploymentId, nodes))) return done();
    const left = await this.snapshots.destroy(deploymentId, id, nodes, signal);
    return left.length === 0 ? done() : pollLater(left, 'the provider deletes snapshots');
  }

  /** Stops nodes that still upload, before the uploaded objects are deleted. */
  async undoing(operation: OperationRow): Promise<void> {
    await this.work.withdraw(operation);
  }

  async failed(operation: OperationRow, failure: Failure): Promise<void> {
    const facts = await this.resources.facts(deploymentOf(operation));
    const backup = await this.backups.fail(operation.id);
    if (backup) await this.ledger.backupFailed(operation, facts, { ...backup, reason: failure.reason });
    await this.ledger.failed(operation, facts, failure);
  }

  private async backup(operation: OperationRow): Promise<{ id: BackupId; nodeId: NodeId | null }> {
    const backup = await this.backups.findTaken(operation.id);
    if (!backup) throw new StepImpossible('the record of the backup no longer exists');
    return backup;
  }
}

/** What a node said about its frozen data. */
type FrozenData = Pick<BackupSnapshot, 'node_id' | 'sha256' | 'size_bytes'>;

/** @throws StepImpossible when the provider could not take the snapshot, or the snapshot was deleted */
function requireTaken(snapshot: Resource<'snapshot'> | undefined, { node_id: nodeId }: FrozenData) {
  if (snapshot && snapshot.state !== 'failed') return snapshot;
  throw new StepImpossible(snapshot?.reason ?? `the snapshot of node ${nodeId} no longer exists`);
}

/** @throws StepImpossible when a node is done but reports no results */
function toFrozen({ nodeId, results }: OrderRow): FrozenData {
  if (!results.data) throw new StepImpossible(`node ${nodeId} did not report the frozen data`);
  return { node_id: nodeId, ...results.data };
}

const freezing = ({ id }: NodeRow): NewOrder => ({ nodeId: id, kind: 'freeze_data' });

const archiving = (
  { id, deployment_id: deploymentId, storage_size: storageSize }: NodeRow,
  backupId: BackupId,
): NewOrder => ({
  nodeId: id,
  kind: 'archive_data',
  objects: {
    data: { key: backupArchive(deploymentId, backupId, id), limit_bytes: archiveLimitBytes(storageSize) },
  },
});

/** @throws StepImpossible when a node is done but reports no results */
function toSnapshot({ nodeId, results, objects }: OrderRow, backupId: BackupId): BackupSnapshot {
  if (!results.data || !objects.data) throw new StepImpossible(`node ${nodeId} did not report the stored data`);
  return {
    node_id: nodeId,
    snapshot_id: `snapshot-${backupId}-${nodeId}`,
    volume_id: `volume-${nodeId}`,
    object_key: objects.data.key,
    ...results.data,
  };
}
