import { Module } from '@nestjs/common';
import { SpendWatch } from './spend-watch.js';

/** What worker processes do for billing. */
@Module({ providers: [SpendWatch] })
export class BillingWorkModule {}
