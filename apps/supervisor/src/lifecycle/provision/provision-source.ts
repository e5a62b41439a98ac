import { Injectable } from '@nestjs/common';
import type { BackupId, DeploymentId } from '@libs/domain';
import {
  BackupsRepository,
  DataKeysRepository,
  NodesRepository,
  RuntimesRepository,
  type BackupSnapshot,
} from '@libs/persistence/runtime';
import { StepImpossible, type OperationRow } from '@libs/workflow';
import { requireSameKey } from '../backups/require-same-key.js';
import { RestoreNodes } from '../backups/restore-nodes.js';
import type { NodeWork } from '../node-work.js';
import { deploymentOf } from '../subject.js';

interface Source {
  deploymentId: DeploymentId;
  backupId: BackupId;
}

/**
 * The backup of another deployment that a new deployment starts with (C-19.16). The nodes of the new deployment get the data
 * while their brokers are stopped, and encrypt the data again under their own key. The other deployment does not change.
 */
@Injectable()
export class ProvisionSource {
  constructor(
    private readonly backups: BackupsRepository,
    private readonly dataKeys: DataKeysRepository,
    private readonly runtimes: RuntimesRepository,
    private readonly nodes: NodesRepository,
    private readonly restored: RestoreNodes,
  ) {}

  get work(): NodeWork {
    return this.restored.work;
  }

  /** Whether the new deployment starts without data. */
  isEmpty(operation: OperationRow): boolean {
    return sourceOf(operation) === null;
  }

  /** @throws StepImpossible when the backup is gone, or its key is */
  async requireReadable(operation: OperationRow): Promise<void> {
    const source = sourceOf(operation);
    if (source === null) return;
    await this.snapshots(source);
    const { backups, dataKeys } = this;
    await requireSameKey({ backups, dataKeys }, source.deploymentId, source.backupId);
  }

  /** Orders each node to take the data of the node with the same number. Runs in the transaction of the caller. */
  async giveData(operation: OperationRow): Promise<void> {
    const source = sourceOf(operation);
    if (source === null) return;
    const snapshots = await this.snapshots(source);
    const [from, to] = [await this.nodes.list(source.deploymentId), await this.nodes.list(deploymentOf(operation))];
    const moved = to.flatMap(({ id, ordinal }) => {
      const backedUp = from.find((node) => node.ordinal === ordinal);
      const snapshot = snapshots.find(({ node_id: nodeId }) => nodeId === backedUp?.id);
      return snapshot ? [{ ...snapshot, node_id: id }] : [];
    });
    await this.restored.replaceData(operation, moved);
  }

  /** Starts the brokers, and forgets the other deployment and its key. Runs in the transaction of the caller. */
  async letGo(operation: OperationRow): Promise<void> {
    await this.runtimes.forgetRestoreSource(deploymentOf(operation));
    await this.restored.letGo(operation);
  }

  private async snapshots({ deploymentId, backupId }: Source): Promise<BackupSnapshot[]> {
    const snapshots = await this.backups.snapshots(deploymentId, backupId);
    if (snapshots.length === 0) throw new StepImpossible('the backup no longer exists');
    return snapshots;
  }
}

/** Null for a deployment that starts without data. */
function sourceOf({ memo }: OperationRow): Source | null {
  if (memo['backup_id'] === undefined) return null;
  return { deploymentId: Number(memo['source_id']), backupId: Number(memo['backup_id']) };
}
