import { Body, Delete, Get, Put } from '@nestjs/common';
import {
  Actor,
  FailsWith,
  IfMatch,
  PreparesFirst,
  Reads,
  Returns,
  Routes,
  Writes,
  WritesWhenChanged,
  type ActingCaller,
  type Prepared,
} from '@libs/http';
import { Precondition } from '@libs/domain';
import { PaymentMethodView } from '../dto/payment-method.view.js';
import { PutPaymentMethodDto } from '../dto/put-payment-method.dto.js';
import { PaymentMethodService } from './payment-method.service.js';

@Routes('tenants/:tenant_id/billing/payments/method', 'Billing')
export class PaymentMethodController {
  constructor(private readonly methods: PaymentMethodService) {}

  /** Reads how the tenant pays. */
  @Get()
  @Reads('billing:read', PaymentMethodView)
  @FailsWith('payment_method_not_found')
  get(@Actor() actor: ActingCaller): Promise<PaymentMethodView> {
    return this.methods.get(actor);
  }

  /**
   * Sets the payment method of the tenant and replaces the current method. The method `manual` needs an invoice
   * agreement from the operator of the installation.
   */
  @Put()
  @WritesWhenChanged('billing:manage', 'payment_method_changed')
  @PreparesFirst()
  @Returns(PaymentMethodView)
  @FailsWith('provider_unavailable', 'invoice_agreement_required')
  put(
    @Actor() actor: ActingCaller,
    @Body() dto: PutPaymentMethodDto,
    @IfMatch() precondition: Precondition,
  ): Promise<Prepared<PaymentMethodView>> {
    return this.methods.put(actor, dto, precondition);
  }

  /**
   * Removes the payment method. Afterwards the tenant cannot create or upgrade paid deployments. The request is refused
   * while paid deployments exist.
   */
  @Delete()
  @Writes('billing:manage', 'payment_method_removed')
  @FailsWith('payment_method_not_found', 'payment_method_in_use')
  delete(@Actor() actor: ActingCaller, @IfMatch() precondition: Precondition): Promise<void> {
    return this.methods.delete(actor, precondition);
  }
}
