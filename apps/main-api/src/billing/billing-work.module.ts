import { Module } from '@nestjs/common';
import { CardPayments } from './payments/card-payments.js';
import { InvoiceMails } from './invoices/invoice-mails.js';
import { MonthlyBilling } from './invoices/monthly-billing.js';
import { PaymentGatewayModule } from './payments/payment-gateway.module.js';
import { SpendWatch } from './usage/spend-watch.js';

/** What worker processes do for billing. */
@Module({ imports: [PaymentGatewayModule], providers: [SpendWatch, MonthlyBilling, InvoiceMails, CardPayments] })
export class BillingWorkModule {}
