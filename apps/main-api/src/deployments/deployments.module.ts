import { Module } from '@nestjs/common';
import { EnvironmentsModule } from '../environments/index.js';
import { ProtectionCodesModule } from '../protection-codes/index.js';
import { TenantsModule } from '../tenants/index.js';
import { ByocController } from './byoc.controller.js';
import { ByocDeployments } from './byoc-deployments.js';
import { ByocSetup } from './byoc-setup.js';
import { DeploymentBirth } from './deployment-birth.js';
import { DeploymentChanges } from './deployment-changes.js';
import { DeploymentChangesController } from './deployment-changes.controller.js';
import { DeploymentCreation } from './deployment-creation.js';
import { DeploymentDeletion } from './deployment-deletion.js';
import { DeploymentRoom } from './deployment-room.js';
import { DeploymentUpgrades } from './deployment-upgrades.js';
import { DeploymentUpgradesController } from './deployment-upgrades.controller.js';
import { DeploymentsController } from './deployments.controller.js';
import { DeploymentsService } from './deployments.service.js';
import { UpgradeRequests } from './upgrade-requests.js';
import { OrderFaults } from './order-faults.js';
import { StartersController } from './starters.controller.js';

@Module({
  imports: [TenantsModule, EnvironmentsModule, ProtectionCodesModule],
  controllers: [
    DeploymentsController,
    DeploymentChangesController,
    DeploymentUpgradesController,
    StartersController,
    ByocController,
  ],
  providers: [
    DeploymentsService,
    DeploymentCreation,
    DeploymentBirth,
    DeploymentRoom,
    ByocDeployments,
    ByocSetup,
    DeploymentChanges,
    DeploymentUpgrades,
    UpgradeRequests,
    DeploymentDeletion,
    OrderFaults,
  ],
})
export class DeploymentsModule {}
