import { Injectable } from '@nestjs/common';
import { ObjectStore } from '@libs/object-store';
import { DiagnosticSnapshotsRepository } from '@libs/persistence/runtime';
import { done, stepTable, type StepContext, type StepsOf, type Workflow } from '@libs/workflow';
import { snapshotObjects } from '../../platform/index.js';
import { deploymentOf } from '../subject.js';

export const DELETE_SNAPSHOT = stepTable({ removing_archive: { to: [], deadline: '10m' } });

/** Removes the stored data of a diagnostic snapshot and then its row, so that no data is left without a row. */
@Injectable()
export class DeleteSnapshot implements Workflow, StepsOf<typeof DELETE_SNAPSHOT, StepContext> {
  readonly type = 'delete_snapshot';
  readonly table = DELETE_SNAPSHOT;
  readonly steps = this as unknown as Workflow['steps'];

  constructor(
    private readonly snapshots: DiagnosticSnapshotsRepository,
    private readonly store: ObjectStore,
  ) {}

  async removing_archive({ operation }: StepContext) {
    const id = Number(operation.memo['snapshot_id']);
    const deploymentId = deploymentOf(operation);
    await this.store.removeBelow(snapshotObjects(deploymentId, id));
    return done({ write: () => this.snapshots.remove(deploymentId, id) });
  }
}
