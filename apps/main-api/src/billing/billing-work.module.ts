import { Module } from '@nestjs/common';
import { CardPayments } from './card-payments.js';
import { InvoiceMails } from './invoice-mails.js';
import { MonthlyBilling } from './monthly-billing.js';
import { PaymentGatewayModule } from './payment-gateway.module.js';
import { SpendWatch } from './spend-watch.js';

/** What worker processes do for billing. */
@Module({ imports: [PaymentGatewayModule], providers: [SpendWatch, MonthlyBilling, InvoiceMails, CardPayments] })
export class BillingWorkModule {}
