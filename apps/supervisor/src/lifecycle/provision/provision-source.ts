import { Injectable } from '@nestjs/common';
import type { BackupId, DeploymentId } from '@libs/domain';
import {
  BackupsRepository,
  DataKeysRepository,
  NodesRepository,
  RuntimesRepository,
  type BackupSnapshot,
} from '@libs/persistence/runtime';
import { hop, nap, StepImpossible, type Hop, type Nap, type OperationRow } from '@libs/workflow';
import { dataOnDisks, NodeSnapshots, type DiskSource } from '../backups/node-snapshots.js';
import { requireSameKey } from '../backups/require-same-key.js';
import { RestoreNodes } from '../backups/restore-nodes.js';
import { isArchive } from '../backups/verify-archive.js';
import { pollLater } from '../poll-later.js';
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
    private readonly disks: NodeSnapshots,
  ) {}

  private get work(): NodeWork {
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

  /** Does the next step until every node has its data and the provider has no disk of the operation any more. Null: nothing is left. */
  async restore(operation: OperationRow, signal: AbortSignal): Promise<Hop<'restoring'> | Nap | null> {
    const sources = await this.sources(operation);
    const onDisks = sources.filter(({ snapshot }) => !isArchive(snapshot));
    if (sources.length > 0 && (await this.work.orders(operation)).length === 0)
      return this.giveData(operation, sources, signal);
    const outcome = await this.work.outcome(operation, signal);
    if (typeof outcome === 'string') return nap('1s', outcome);
    const nodes = onDisks.map(({ to }) => to);
    const remaining = await this.disks.detach(operation, nodes, signal);
    return remaining.length === 0 ? null : pollLater(remaining, 'the provider deletes the disks of the snapshots');
  }

  /** Orders each node to take the data. Where the data is in snapshots, the machine of each node gets a disk first. */
  private async giveData(operation: OperationRow, all: readonly DiskSource[], signal: AbortSignal) {
    const archives = all.flatMap(({ snapshot, to }) => (isArchive(snapshot) ? [{ ...snapshot, node_id: to }] : []));
    const sources = all.filter(({ snapshot }) => !isArchive(snapshot));
    await this.disks.requireComplete(sources, signal);
    const disks = await this.disks.attach(operation, sources, signal);
    const pending = disks.filter(({ state }) => state !== 'active');
    if (pending.length > 0)
      return pollLater(pending, pending[0]?.reason ?? 'the provider makes disks of the snapshots');
    const data = [...archives, ...dataOnDisks(sources, disks)];
    return hop('restoring', { write: () => this.restored.replaceData(operation, data) });
  }

  /** Starts the brokers, and forgets the other deployment and its key. Runs in the transaction of the caller. */
  async letGo(operation: OperationRow): Promise<void> {
    await this.runtimes.forgetRestoreSource(deploymentOf(operation));
    await this.restored.letGo(operation);
  }

  /** The node of the new deployment with the same number gets the data. */
  private async sources(operation: OperationRow): Promise<DiskSource[]> {
    const source = sourceOf(operation);
    if (source === null) return [];
    const snapshots = await this.snapshots(source);
    const [from, to] = [await this.nodes.list(source.deploymentId), await this.nodes.list(deploymentOf(operation))];
    return to.flatMap(({ id, ordinal }) => {
      const backedUp = from.find((node) => node.ordinal === ordinal);
      const snapshot = snapshots.find(({ node_id: nodeId }) => nodeId === backedUp?.id);
      return snapshot ? [{ ...source, snapshot, to: id }] : [];
    });
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
