import { Module } from '@nestjs/common';
import { UpgradeSettler } from './upgrade/upgrade-settler.js';

/** What worker processes do for deployments. */
@Module({ providers: [UpgradeSettler] })
export class DeploymentsWorkModule {}
