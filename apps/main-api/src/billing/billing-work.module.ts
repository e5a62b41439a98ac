import { Module } from '@nestjs/common';
import { CardPaymentsJob } from './payments/card-payments-job.js';
import { InvoiceMails } from './invoices/invoice-mails.js';
import { MonthlyBillingJob } from './invoices/monthly-billing-job.js';
import { PaymentGatewayModule } from './payments/payment-gateway.module.js';
import { SpendLimitJob } from './usage/spend-limit-job.js';

/** The work of worker processes for billing. */
@Module({
  imports: [PaymentGatewayModule],
  providers: [SpendLimitJob, MonthlyBillingJob, InvoiceMails, CardPaymentsJob],
})
export class BillingWorkModule {}
