import { Module } from '@nestjs/common';
import { MonthlyBilling } from './monthly-billing.js';
import { SpendWatch } from './spend-watch.js';

/** What worker processes do for billing. */
@Module({ providers: [SpendWatch, MonthlyBilling] })
export class BillingWorkModule {}
