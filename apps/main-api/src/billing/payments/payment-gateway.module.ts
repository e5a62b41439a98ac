import { Module } from '@nestjs/common';
import { NoPaymentGateway } from './no-payment-gateway.js';
import { PaymentGateway } from './payment-gateway.js';

/** A driver for a gateway goes here, in the place of none. */
@Module({ providers: [{ provide: PaymentGateway, useClass: NoPaymentGateway }], exports: [PaymentGateway] })
export class PaymentGatewayModule {}
