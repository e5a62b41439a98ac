import { Module } from '@nestjs/common';
import { UpgradeReconciler } from './upgrade/upgrade-reconciler.js';

/** The work of worker processes for deployments. */
@Module({
  providers: [UpgradeReconciler],
})
export class DeploymentsWorkModule {}
