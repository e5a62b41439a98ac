import { Module } from '@nestjs/common';
import { TenantsModule } from '../tenants/index.js';
import { PaymentMethodController } from './payment-method.controller.js';
import { PaymentMethodService } from './payment-method.service.js';

@Module({ imports: [TenantsModule], controllers: [PaymentMethodController], providers: [PaymentMethodService] })
export class BillingModule {}
