import { Module } from '@nestjs/common';
import { MailModule } from '../mail/index.js';
import { InvoiceMails } from './invoice-mails.js';
import { MonthlyBilling } from './monthly-billing.js';
import { SpendWatch } from './spend-watch.js';

/** What worker processes do for billing. */
@Module({ imports: [MailModule], providers: [SpendWatch, MonthlyBilling, InvoiceMails] })
export class BillingWorkModule {}
