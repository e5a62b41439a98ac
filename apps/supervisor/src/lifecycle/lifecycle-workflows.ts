import { Injectable } from '@nestjs/common';
import type { Workflow } from '@libs/workflow';
import { DeleteDeployment } from './delete-deployment.workflow.js';
import { ProvisionDeployment } from './provision-deployment.workflow.js';
import { RotateCredentials } from './rotate-credentials.workflow.js';
import { RunActivity } from './run-activity.workflow.js';
import { RunConnectors } from './run-connectors.workflow.js';
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
    connectors: RunConnectors,
    deletion: DeleteDeployment,
  ) {
    const workflows: Workflow[] = [provision, upgrade, rotation, activity, connectors, deletion];
    this.byType = new Map(workflows.map((workflow) => [workflow.type, workflow]));
  }
}
