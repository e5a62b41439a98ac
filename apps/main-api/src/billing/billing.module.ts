import { Module } from '@nestjs/common';
import { TenantsModule } from '../tenants/index.js';
import { BillingInfoController } from './billing-info.controller.js';
import { BillingInfoService } from './billing-info.service.js';
import { BillingReportsController } from './billing-reports.controller.js';
import { BillingReportsService } from './billing-reports.service.js';
import { CardCheck } from './payments/card-check.js';
import { InvoiceAgreements } from './invoices/invoice-agreements.js';
import { InvoicePdf } from './invoices/invoice-pdf.js';
import { InvoicesController } from './invoices/invoices.controller.js';
import { InvoicesService } from './invoices/invoices.service.js';
import { PaymentGatewayModule } from './payments/payment-gateway.module.js';
import { PaymentMethodController } from './payments/payment-method.controller.js';
import { PaymentMethodService } from './payments/payment-method.service.js';
import { PricingController } from './pricing.controller.js';
import { UsageController } from './usage/usage.controller.js';
import { UsageService } from './usage/usage.service.js';

@Module({
  imports: [TenantsModule, PaymentGatewayModule],
  controllers: [
    PricingController,
    BillingInfoController,
    UsageController,
    BillingReportsController,
    InvoicesController,
    PaymentMethodController,
  ],
  providers: [
    ...[BillingInfoService, UsageService, BillingReportsService, InvoicesService, InvoicePdf],
    ...[PaymentMethodService, CardCheck, InvoiceAgreements],
  ],
})
export class BillingModule {}
