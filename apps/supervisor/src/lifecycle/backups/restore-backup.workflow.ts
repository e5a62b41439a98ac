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
  type OperationRow,
  type StepContext,
  type StepsOf,
  type Workflow,
} from '@libs/workflow';
import { DeploymentLedger } from '../deployment-ledger.js';
import { DeploymentResources } from '../deployment-resources.js';
import { RestoreNodes } from './restore-nodes.js';
import { deploymentOf } from '../subject.js';
import { requireSameKey } from './require-same-key.js';
import { verifyArchive } from './verify-archive.js';

export const RESTORE_BACKUP = stepTable({
  verifying_backup: { to: ['stopping_nodes'], deadline: '30m', giveUpAfter: '6h' },
  stopping_nodes: { to: ['replacing_data'], deadline: '2m', giveUpAfter: '10m', undoneBy: 'starting_old_nodes' },
  replacing_data: { to: ['starting_nodes'], deadline: '30m', giveUpAfter: '6h', undoneBy: 'reverting_data' },
  starting_nodes: { to: ['discarding_old_data'], deadline: '3m', giveUpAfter: '15m', undoneBy: 'reverting_data' },
  discarding_old_data: { to: [], deadline: '2m' },
  reverting_data: { to: [], deadline: '10m', isUndo: true },
  starting_old_nodes: { to: [], deadline: '10m', isUndo: true },
});

/** The data that nodes set aside needs disk space but does no harm. The next restore also deletes it. */
const DISCARDING_SECONDS = 300;

/**
 * Replaces the data of all nodes with the data of a backup at once: replicas of different times never existed in one
 * state. The archives are verified before any node stops. Until every node serves again, each keeps its old data, and
 * restores it when the operation fails.
 */
@Injectable()
export class RestoreBackup implements Workflow, StepsOf<typeof RESTORE_BACKUP, StepContext> {
  readonly type = 'restore_backup';
  readonly table = RESTORE_BACKUP;
  readonly steps: Workflow['steps'];

  constructor(
    private readonly backups: BackupsRepository,
    private readonly dataKeys: DataKeysRepository,
    private readonly runtimes: RuntimesRepository,
    private readonly store: ObjectStore,
    private readonly nodes: RestoreNodes,
    private readonly resources: DeploymentResources,
    private readonly ledger: DeploymentLedger,
  ) {
    this.steps = this as unknown as Workflow['steps'];
  }

  async verifying_backup({ operation, signal }: StepContext) {
    const snapshots = await this.snapshots(operation);
    if (snapshots.length === 0) throw new StepImpossible('the backup no longer exists');
    const { backups, dataKeys } = this;
    await requireSameKey({ backups, dataKeys }, deploymentOf(operation), Number(operation.memo['backup_id']));
    for (const snapshot of snapshots) await verifyArchive(this.store, snapshot, signal);
    return hop('stopping_nodes', {
      write: async () => {
        await this.runtimes.move(deploymentOf(operation), 'restoring');
        await this.nodes.hold(operation);
      },
    });
  }

  async stopping_nodes({ operation, signal }: StepContext) {
    if ((await this.nodes.turns.missing(operation, signal)) !== null)
      return nap('1s', 'waits until the brokers of all nodes have stopped');
    const snapshots = await this.snapshots(operation);
    return hop('replacing_data', { write: () => this.nodes.replaceData(operation, snapshots) });
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
    return done({ write: () => this.nodes.work.withdraw(operation) });
  }

  async reverting_data({ operation, signal }: StepContext) {
    if (!(await this.nodes.work.haveEnded(operation, signal))) return nap('1s', 'nodes restore their old data');
    return done({ write: () => this.nodes.letGo(operation) });
  }

  async starting_old_nodes({ operation, signal }: StepContext) {
    const missing = await this.nodes.turns.missing(operation, signal);
    return missing === null ? done() : nap('1s', missing);
  }

  /** Runs in the transaction that starts the undo, so a worker that lost the lease cannot give other orders. */
  async undoing(operation: OperationRow): Promise<void> {
    await this.nodes.work.withdraw(operation);
    if (operation.step === 'stopping_nodes') return this.nodes.letGo(operation);
    await this.nodes.hold(operation);
    await this.nodes.end(operation, 'revert_data', await this.snapshots(operation));
  }

  /** The nodes serve the old data, so the operation fails, but not the deployment. */
  async failed(operation: OperationRow, failure: Failure): Promise<void> {
    const id = deploymentOf(operation);
    await this.runtimes.moveFrom(id, 'restoring', 'initialized');
    await this.ledger.failed(operation, await this.resources.facts(id), failure);
  }

  private snapshots(operation: OperationRow): Promise<BackupSnapshot[]> {
    return this.backups.snapshots(deploymentOf(operation), Number(operation.memo['backup_id']));
  }
}
