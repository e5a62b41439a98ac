import { Injectable } from '@nestjs/common';
import { ObjectStore } from '@libs/object-store';
import { BackupsRepository } from '@libs/persistence/runtime';
import { done, stepTable, type StepContext, type StepsOf, type Workflow } from '@libs/workflow';
import { backupObjects } from '../../platform/index.js';
import { pollLater } from '../poll-later.js';
import { deploymentOf } from '../subject.js';
import { NodeSnapshots } from './node-snapshots.js';
import { isArchive } from './verify-archive.js';

export const DELETE_BACKUP = stepTable({ removing_objects: { to: [], deadline: '10m' } });

/** Removes the stored data of a backup and then its row, so that no data is left without a row. */
@Injectable()
export class DeleteBackup implements Workflow, StepsOf<typeof DELETE_BACKUP, StepContext> {
  readonly type = 'delete_backup';
  readonly table = DELETE_BACKUP;
  readonly steps = this as unknown as Workflow['steps'];

  constructor(
    private readonly backups: BackupsRepository,
    private readonly store: ObjectStore,
    private readonly snapshots: NodeSnapshots,
  ) {}

  async removing_objects({ operation, signal }: StepContext) {
    const id = Number(operation.memo['backup_id']);
    const deploymentId = deploymentOf(operation);
    await this.store.removeBelow(backupObjects(deploymentId, id));
    const atProvider = (await this.backups.snapshots(deploymentId, id)).filter((snapshot) => !isArchive(snapshot));
    const nodes = atProvider.map(({ node_id: nodeId }) => nodeId);
    const left = await this.snapshots.destroy(deploymentId, id, nodes, signal);
    if (left.length > 0) return pollLater(left, 'the provider deletes snapshots');
    return done({ write: () => this.backups.remove(deploymentId, id) });
  }
}
