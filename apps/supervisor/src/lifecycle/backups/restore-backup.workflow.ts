import { Injectable } from '@nestjs/common';
import { ObjectStore } from '@libs/object-store';
import {
  BackupsRepository,
  DataKeysRepository,
  RuntimesRepository,
  type BackupSnapshot,
} from '@libs/persistence/runtime';
import {
  done,
  hop,
  nap,
  stepTable,
  StepImpossible,
  type Failure,
  type Nap,
  type OperationRow,
  type StepContext,
  type StepsOf,
  type Workflow,
} from '@libs/workflow';
import { DeploymentLedger } from '../deployment-ledger.js';
import { DeploymentResources } from '../deployment-resources.js';
import { pollLater } from '../poll-later.js';
import { dataOnDisks, NodeSnapshots, type DiskSource } from './node-snapshots.js';
import { RestoreNodes } from './restore-nodes.js';
import { deploymentOf } from '../subject.js';
import { requireSameKey } from './require-same-key.js';
import { isArchive, verifyArchive } from './verify-archive.js';

export const RESTORE_BACKUP = stepTable({
  verifying_backup: { to: ['attaching_disks', 'stopping_nodes'], deadline: '30m', giveUpAfter: '6h' },
  attaching_disks: { to: ['stopping_nodes'], deadline: '10m', giveUpAfter: '1h', undoneBy: 'starting_old_nodes' },
  stopping_nodes: { to: ['replacing_data'], deadline: '2m', giveUpAfter: '10m', undoneBy: 'starting_old_nodes' },
  replacing_data: { to: ['starting_nodes'], deadline: '30m', giveUpAfter: '6h', undoneBy: 'reverting_data' },
  starting_nodes: { to: ['discarding_old_data'], deadline: '3m', giveUpAfter: '15m', undoneBy: 'reverting_data' },
  discarding_old_data: { to: [], deadline: '2m' },
  reverting_data: { to: [], deadline: '10m', isUndo: true },
  starting_old_nodes: { to: [], deadline: '10m', isUndo: true },
});

/** Until these steps end, every node has its own data. */
const BEFORE_ANY_CHANGE = ['attaching_disks', 'stopping_nodes'];

/** The data that nodes set aside needs disk space but does no harm. The next restore also deletes it. */
const DISCARDING_SECONDS = 300;

/**
 * Replaces the data of all nodes with the data of a backup at once: replicas of different times never existed in one
 * state. The archives are verified, and disks are made of snapshots, before any node stops. Until every node serves again, each keeps its old data, and
 * restores it when the operation fails.
 */
@Injectable()
export class RestoreBackup implements Workflow, StepsOf<typeof RESTORE_BACKUP, StepContext> {
  readonly type = 'restore_backup';
  readonly table = RESTORE_BACKUP;
  readonly steps = this as unknown as Workflow['steps'];

  constructor(
    private readonly backups: BackupsRepository,
    private readonly dataKeys: DataKeysRepository,
    private readonly runtimes: RuntimesRepository,
    private readonly store: ObjectStore,
    private readonly nodes: RestoreNodes,
    private readonly disks: NodeSnapshots,
    private readonly resources: DeploymentResources,
    private readonly ledger: DeploymentLedger,
  ) {}

  async verifying_backup({ operation, signal }: StepContext) {
    const snapshots = await this.snapshots(operation);
    if (snapshots.length === 0) throw new StepImpossible('the backup no longer exists');
    const { backups, dataKeys } = this;
    await requireSameKey({ backups, dataKeys }, deploymentOf(operation), Number(operation.memo['backup_id']));
    for (const snapshot of snapshots) if (isArchive(snapshot)) await verifyArchive(this.store, snapshot, signal);
    const sources = this.onDisks(operation, snapshots);
    if (sources.length === 0) return hop('stopping_nodes', { write: () => this.begin(operation) });
    await this.disks.requireComplete(sources, signal);
    return hop('attaching_disks');
  }

  /** The nodes serve in the meantime. */
  async attaching_disks({ operation, signal }: StepContext) {
    const sources = this.onDisks(operation, await this.snapshots(operation));
    const pending = (await this.disks.attach(operation, sources, signal)).filter(({ state }) => state !== 'active');
    if (pending.length > 0)
      return pollLater(pending, pending[0]?.reason ?? 'the provider makes disks of the snapshots');
    return hop('stopping_nodes', { write: () => this.begin(operation) });
  }

  async stopping_nodes({ operation, signal }: StepContext) {
    if ((await this.nodes.turns.missing(operation, signal)) !== null)
      return nap('1s', 'waits until the brokers of all nodes have stopped');
    const snapshots = await this.snapshots(operation);
    const sources = this.onDisks(operation, snapshots);
    const onDisks = dataOnDisks(sources, await this.disks.attach(operation, sources, signal));
    const data = [...snapshots.filter(isArchive), ...onDisks];
    return hop('replacing_data', { write: () => this.nodes.replaceData(operation, data) });
  }

  async replacing_data({ operation, signal }: StepContext) {
    const outcome = await this.nodes.work.outcome(operation, signal);
    if (typeof outcome === 'string') return nap('1s', outcome);
    return hop('starting_nodes', { write: () => this.nodes.letGo(operation) });
  }

  async starting_nodes({ operation, signal }: StepContext) {
    const missing = await this.nodes.turns.missing(operation, signal);
    if (missing !== null) return nap('1s', missing);
    const snapshots = await this.snapshots(operation);
    return hop('discarding_old_data', {
      write: async () => {
        await this.runtimes.move(deploymentOf(operation), 'initialized');
        await this.nodes.end(operation, 'settle_data', snapshots);
      },
    });
  }

  async discarding_old_data({ operation, signal }: StepContext) {
    const isOver = operation.step_age_seconds > DISCARDING_SECONDS;
    if (!isOver && !(await this.nodes.work.haveEnded(operation, signal)))
      return nap('1s', 'nodes delete their old data');
    return (await this.deletesDisks(operation, signal)) ?? done({ write: () => this.nodes.work.withdraw(operation) });
  }

  async reverting_data({ operation, signal }: StepContext) {
    if (!(await this.nodes.work.haveEnded(operation, signal))) return nap('1s', 'nodes restore their old data');
    return (await this.deletesDisks(operation, signal)) ?? done({ write: () => this.nodes.letGo(operation) });
  }

  async starting_old_nodes({ operation, signal }: StepContext) {
    const missing = await this.nodes.turns.missing(operation, signal);
    if (missing !== null) return nap('1s', missing);
    return (await this.deletesDisks(operation, signal)) ?? done();
  }

  /** Runs in the transaction that starts the undo, so a worker that lost the lease cannot give other orders. */
  async undoing(operation: OperationRow): Promise<void> {
    await this.nodes.work.withdraw(operation);
    if (BEFORE_ANY_CHANGE.includes(operation.step)) return this.nodes.letGo(operation);
    await this.nodes.hold(operation);
    await this.nodes.end(operation, 'revert_data', await this.snapshots(operation));
  }

  /** The nodes serve the old data, so the operation fails, but not the deployment. */
  async failed(operation: OperationRow, failure: Failure): Promise<void> {
    const id = deploymentOf(operation);
    await this.runtimes.moveFrom(id, 'restoring', 'initialized');
    await this.ledger.failed(operation, await this.resources.facts(id), failure);
  }

  /** Runs in the transaction of the step, like `undoing`. */
  private async begin(operation: OperationRow): Promise<void> {
    await this.runtimes.move(deploymentOf(operation), 'restoring');
    await this.nodes.hold(operation);
  }

  /** Null: the provider has no disk of the operation any more. */
  private async deletesDisks(operation: OperationRow, signal: AbortSignal): Promise<Nap | null> {
    const nodes = this.onDisks(operation, await this.snapshots(operation)).map(({ to }) => to);
    const left = await this.disks.detach(operation, nodes, signal);
    return left.length === 0 ? null : pollLater(left, 'the provider deletes the disks of the snapshots');
  }

  private onDisks(operation: OperationRow, snapshots: readonly BackupSnapshot[]): DiskSource[] {
    const from = { deploymentId: deploymentOf(operation), backupId: Number(operation.memo['backup_id']) };
    return snapshots
      .filter((snapshot) => !isArchive(snapshot))
      .map((snapshot) => ({ ...from, snapshot, to: snapshot.node_id }));
  }

  private snapshots(operation: OperationRow): Promise<BackupSnapshot[]> {
    return this.backups.snapshots(deploymentOf(operation), Number(operation.memo['backup_id']));
  }
}
