import { Module } from '@nestjs/common';
import { NoPaymentGateway } from './no-payment-gateway.js';
import { PaymentGateway } from './payment-gateway.js';

/** Provides the gateway. A driver for a real gateway replaces NoPaymentGateway here. */
@Module({ providers: [{ provide: PaymentGateway, useClass: NoPaymentGateway }], exports: [PaymentGateway] })
export class PaymentGatewayModule {}
