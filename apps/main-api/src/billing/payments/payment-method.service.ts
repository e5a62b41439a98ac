import { Injectable } from '@nestjs/common';
import { DomainError, type Precondition } from '@libs/domain';
import { Prepared, requireUnchanged, type ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import { PaymentMethodsRepository, type PaymentMethod } from '@libs/persistence/billing';
import { tenantWide } from '../../platform/index.js';
import { TenantEntitlements } from '../../tenants/index.js';
import { CardCheck, type CheckedMethod } from './card-check.js';
import type { PaymentMethodView } from '../dto/payment-method.view.js';
import type { PutPaymentMethodDto } from '../dto/put-payment-method.dto.js';
import { InvoiceAgreements } from '../invoices/invoice-agreements.js';

/**
 * The payment method of a tenant. Without a method, paid deployments cannot be created or upgraded. Running deployments
 * continue.
 */
@Injectable()
export class PaymentMethodService {
  constructor(
    private readonly methods: PaymentMethodsRepository,
    private readonly entitlements: TenantEntitlements,
    private readonly ledger: Ledger,
    private readonly cards: CardCheck,
    private readonly agreements: InvoiceAgreements,
  ) {}

  /** @throws DomainError payment_method_not_found */
  async get({ tenantId }: ActingCaller): Promise<PaymentMethodView> {
    return toView(found(await this.methods.find(tenantId)));
  }

  /** Checks a card before the transaction, and refuses it in the transaction. */
  async put(
    actor: ActingCaller,
    dto: PutPaymentMethodDto,
    precondition: Precondition,
  ): Promise<Prepared<PaymentMethodView>> {
    const checked = await this.cards.check(dto, await this.methods.find(actor.tenantId));
    return new Prepared(() => this.change(actor, dto, { checked, precondition }));
  }

  /** @throws DomainError validation_failed, precondition_failed, provider_unavailable, invoice_agreement_required */
  private async change(
    actor: ActingCaller,
    dto: PutPaymentMethodDto,
    { checked, precondition }: { checked: CheckedMethod; precondition: Precondition },
  ): Promise<PaymentMethodView> {
    // Creations and upgrades that need the method take the same lock.
    await this.entitlements.lock(actor.tenantId);
    const before = await this.methods.find(actor.tenantId);
    const stored = before ? toView(before) : {};
    precondition.require(stored);
    requireUnchanged(dto, stored);
    if (checked.refusal) throw checked.refusal;
    if (dto.provider === 'manual') await this.agreements.require(actor.tenantId);
    // The reference of another provider has another meaning: invoices must not show the token of a card.
    const storedReference = before?.provider === dto.provider ? before.reference : null;
    const reference = checked.reference === undefined ? storedReference : checked.reference;
    if (await this.methods.put(actor.tenantId, dto.provider, reference))
      await this.record(actor, 'payment_method_changed', {
        provider: dto.provider,
        reference,
        previous: described(before),
      });
    return this.get(actor);
  }

  /**
   * Refuses while paid deployments exist. The lock excludes a paid creation after this check.
   * @throws DomainError payment_method_not_found, precondition_failed, payment_method_in_use
   */
  async delete(actor: ActingCaller, precondition: Precondition): Promise<void> {
    await this.entitlements.lock(actor.tenantId);
    const method = found(await this.methods.find(actor.tenantId));
    precondition.require(toView(method));
    if (await this.methods.isInUse(actor.tenantId))
      throw new DomainError('payment_method_in_use', 'The tenant has paid deployments.');
    await this.methods.delete(actor.tenantId);
    await this.record(actor, 'payment_method_removed', described(method));
  }

  private async record(
    actor: ActingCaller,
    audit: 'payment_method_changed' | 'payment_method_removed',
    data: object,
  ): Promise<void> {
    const { author, traceId } = actor;
    await this.ledger.record({ audit, author, context: tenantWide(actor), data, traceId });
  }
}

function found(method: PaymentMethod | null): PaymentMethod {
  if (!method) throw new DomainError('payment_method_not_found', 'The tenant has no payment method.');
  return method;
}

/** Returns the data of a method for the audit record. */
const described = (method: PaymentMethod | null): object => ({
  provider: method?.provider ?? null,
  reference: method?.reference ?? null,
});

const toView = ({ provider, reference, createdAt, updatedAt }: PaymentMethod): PaymentMethodView => ({
  provider,
  reference,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
});
