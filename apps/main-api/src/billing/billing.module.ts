import { Module } from '@nestjs/common';
import { TenantsModule } from '../tenants/index.js';
import { CardCheck } from './card-check.js';
import { NoPaymentGateway } from './no-payment-gateway.js';
import { PaymentGateway } from './payment-gateway.js';
import { PaymentMethodController } from './payment-method.controller.js';
import { PaymentMethodService } from './payment-method.service.js';

@Module({
  imports: [TenantsModule],
  controllers: [PaymentMethodController],
  // A driver for a gateway goes here, in the place of none.
  providers: [PaymentMethodService, CardCheck, { provide: PaymentGateway, useClass: NoPaymentGateway }],
})
export class BillingModule {}
