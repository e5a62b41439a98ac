import { Module } from '@nestjs/common';
import { UpgradeReconciler } from './upgrade/upgrade-reconciler.js';

/** What worker processes do for deployments. */
@Module({ providers: [UpgradeReconciler] })
export class DeploymentsWorkModule {}
