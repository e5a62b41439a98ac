import { Module } from '@nestjs/common';
import { EnvironmentsModule } from '../environments/index.js';
import { ProtectionCodesModule } from '../protection-codes/index.js';
import { TenantsModule } from '../tenants/index.js';
import { ByocController } from './byoc/byoc.controller.js';
import { ByocDeployments } from './byoc/byoc-deployments.js';
import { ByocSetup } from './byoc/byoc-setup.js';
import { CellChoice } from './create/cell-choice.js';
import { RestoreSource } from './create/restore-source.js';
import { DeploymentInitialRows } from './create/deployment-initial-rows.js';
import { DeploymentChanges } from './change/deployment-changes.js';
import { DeploymentChangesController } from './change/deployment-changes.controller.js';
import { DeploymentCreation } from './create/deployment-creation.js';
import { DeploymentDeletion } from './delete/deployment-deletion.js';
import { DeploymentQuota } from './create/deployment-quota.js';
import { DeploymentUpgrades } from './upgrade/deployment-upgrades.js';
import { DeploymentUpgradesController } from './upgrade/deployment-upgrades.controller.js';
import { DeploymentsController } from './deployments.controller.js';
import { DeploymentsService } from './deployments.service.js';
import { TenantDeploymentsController } from './tenant-deployments.controller.js';
import { UpgradeRequests } from './upgrade/upgrade-requests.js';
import { RequestFaults } from './create/request-faults.js';
import { Orderability } from './create/orderability.js';
import { SharedMachines } from './create/shared-machines.js';
import { StartersController } from './create/starters.controller.js';

@Module({
  imports: [TenantsModule, EnvironmentsModule, ProtectionCodesModule],
  controllers: [
    DeploymentsController,
    TenantDeploymentsController,
    DeploymentChangesController,
    DeploymentUpgradesController,
    StartersController,
    ByocController,
  ],
  providers: [
    DeploymentsService,
    DeploymentCreation,
    DeploymentInitialRows,
    RestoreSource,
    DeploymentQuota,
    CellChoice,
    Orderability,
    SharedMachines,
    ByocDeployments,
    ByocSetup,
    DeploymentChanges,
    DeploymentUpgrades,
    UpgradeRequests,
    DeploymentDeletion,
    RequestFaults,
  ],
})
export class DeploymentsModule {}
