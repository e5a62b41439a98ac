import { Module } from '@nestjs/common';
import { PersistenceModule } from '@libs/persistence';
import { UpgradesRepository } from '@libs/persistence/organization';
import { UpgradeReconciler } from './upgrade/upgrade-reconciler.js';

/** The work of worker processes for deployments. */
@Module({
  imports: [PersistenceModule.forFeature([UpgradesRepository])],
  providers: [UpgradeReconciler],
})
export class DeploymentsWorkModule {}
