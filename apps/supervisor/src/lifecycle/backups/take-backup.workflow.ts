import { Injectable } from '@nestjs/common';
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
import { NodeWork } from '../node-work.js';
import { deploymentOf } from '../subject.js';

export const TAKE_BACKUP = stepTable({
  freezing_nodes: { to: ['uploading'], deadline: '1m', giveUpAfter: '5m' },
  uploading: { to: [], deadline: '30m', giveUpAfter: '6h', undoneBy: 'discarding_objects' },
  discarding_objects: { to: [], deadline: '10m', isUndo: true },
});

/**
 * Archives the data of each node at one moment to the object store. Clients notice a pause of writes. The backup is
 * complete when every archive is stored. A failed backup leaves no objects.
 */
@Injectable()
export class TakeBackup implements Workflow, StepsOf<typeof TAKE_BACKUP, StepContext> {
  readonly type = 'take_backup';
  readonly table = TAKE_BACKUP;
  readonly steps: Workflow['steps'];

  constructor(
    private readonly nodes: NodesRepository,
    private readonly backups: BackupsRepository,
    private readonly dataKeys: DataKeysRepository,
    private readonly store: ObjectStore,
    private readonly work: NodeWork,
    private readonly resources: DeploymentResources,
    private readonly ledger: DeploymentLedger,
  ) {
    this.steps = this as unknown as Workflow['steps'];
  }

  async freezing_nodes({ operation }: StepContext) {
    const { id: backupId, nodeId } = await this.backup(operation);
    const all = await this.nodes.list(deploymentOf(operation));
    const targets = nodeId === null ? all : all.filter(({ id }) => id === nodeId);
    if (targets.length === 0) throw new StepImpossible('the node no longer exists');
    const keyId = await this.dataKeys.idOf(deploymentOf(operation));
    return hop('uploading', {
      write: async () => {
        await this.backups.start(operation.id, keyId);
        await this.work.give(
          operation,
          targets.map((node) => orderFor(node, backupId)),
        );
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

  async discarding_objects({ operation }: StepContext) {
    const { id } = await this.backup(operation);
    await this.store.removeBelow(backupObjects(deploymentOf(operation), id));
    return done();
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

const orderFor = (
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
