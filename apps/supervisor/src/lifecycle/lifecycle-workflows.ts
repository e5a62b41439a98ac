import { Injectable } from '@nestjs/common';
import type { Workflow } from '@libs/workflow';
import { DeleteBackup } from './delete-backup.workflow.js';
import { DeleteDeployment } from './delete-deployment.workflow.js';
import { DeleteSnapshot } from './delete-snapshot.workflow.js';
import { ProvisionDeployment } from './provision-deployment.workflow.js';
import { RestoreBackup } from './restore-backup.workflow.js';
import { RotateCredentials } from './rotate-credentials.workflow.js';
import { RunActivity } from './run-activity.workflow.js';
import { TakeBackup } from './take-backup.workflow.js';
import { TakeSnapshot } from './take-snapshot.workflow.js';
import { UpgradeDeployment } from './upgrade-deployment.workflow.js';

/** Every workflow of this cell, by the type of its operations. */
@Injectable()
export class LifecycleWorkflows {
  readonly byType: ReadonlyMap<string, Workflow>;

  constructor(
    provision: ProvisionDeployment,
    upgrade: UpgradeDeployment,
    rotation: RotateCredentials,
    activity: RunActivity,
    taking: TakeBackup,
    restoring: RestoreBackup,
    discarding: DeleteBackup,
    diagnosing: TakeSnapshot,
    forgetting: DeleteSnapshot,
    deletion: DeleteDeployment,
  ) {
    const ofNodes: Workflow[] = [provision, upgrade, rotation, activity, deletion];
    const workflows: Workflow[] = [...ofNodes, taking, restoring, discarding, diagnosing, forgetting];
    this.byType = new Map(workflows.map((workflow) => [workflow.type, workflow]));
  }
}
