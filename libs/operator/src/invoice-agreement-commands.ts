import { renderMail, type AuditType, type TenantId } from '@libs/domain';
import { InvoiceAgreementsRepository, PaymentMethodsRepository } from '@libs/persistence/billing';
import { MailsRepository, TenantsRepository } from '@libs/persistence/organization';
import { tenantContext } from './operator-journal.js';
import { OperatorRefused } from './operator-refused.js';
import type { OperatorSession } from './operator-session.js';
import { TenantCommands, type TenantRow } from './tenant-commands.js';

/** Tenants that pay by invoice. */
export class InvoiceAgreementCommands {
  private readonly tenants: TenantsRepository;
  private readonly agreements: InvoiceAgreementsRepository;
  private readonly methods: PaymentMethodsRepository;
  private readonly mails: MailsRepository;

  constructor(private readonly session: OperatorSession) {
    this.tenants = new TenantsRepository(session.database);
    this.agreements = new InvoiceAgreementsRepository(session.database);
    this.methods = new PaymentMethodsRepository(session.database);
    this.mails = new MailsRepository(session.database, session.secrets);
  }

  /** Becomes the payment method of a tenant without one. A tenant with a card keeps paying by card. @throws OperatorRefused */
  grant(id: TenantId): Promise<TenantRow> {
    return this.change(id, async () => {
      const isNew = await this.agreements.grant(id, 'operator');
      const isPaying = (await this.methods.find(id)) !== null;
      if (!isPaying) await this.methods.put(id, 'manual', null);
      if (!isNew && isPaying) throw new OperatorRefused(`Tenant ${id} already has an invoice agreement.`);
      return this.record(id, 'grant', 'invoice_agreement_granted');
    });
  }

  /**
   * Existing deployments continue and are charged. The tenant can no longer create or upgrade paid ones. @throws
   * OperatorRefused
   */
  revoke(id: TenantId): Promise<TenantRow> {
    return this.change(id, async (tenant) => {
      const hadAgreement = await this.agreements.revoke(id);
      const isInvoiced = (await this.methods.find(id))?.provider === 'manual';
      if (isInvoiced) await this.methods.delete(id);
      if (!hadAgreement && !isInvoiced) throw new OperatorRefused(`Tenant ${id} has no invoice agreement.`);
      await this.mails.insert([{ to: tenant.owner_email, ...revocationOf(tenant, isInvoiced) }]);
      return this.record(id, 'revoke', 'invoice_agreement_revoked');
    });
  }

  /** Uses the lock of paid creations, so that none of them relies on an agreement that ends at the same time. */
  private change(id: TenantId, work: (tenant: TenantRow) => Promise<void>): Promise<TenantRow> {
    const tenantCommands = new TenantCommands(this.session);
    return this.session.database.transaction(async () => {
      const lockedPlan = await this.tenants.findPlanForUpdate(id);
      const tenant = await tenantCommands.get(id);
      if (!lockedPlan) throw new OperatorRefused(`Tenant ${id} is deleted.`);
      await work(tenant);
      return tenantCommands.get(id);
    });
  }

  private async record(id: TenantId, verb: 'grant' | 'revoke', type: AuditType): Promise<void> {
    await this.session.journal.record({
      verb: `tenants invoice-agreement ${verb}`,
      subject: `tenant ${id}`,
      audit: { type, context: tenantContext(id), data: { provider: 'manual' } },
    });
  }
}

const revocationOf = ({ name }: TenantRow, isInvoiced: boolean) => ({
  subject: `The invoice agreement of ${name} has ended`,
  ...renderMail({
    paragraphs: [
      `The operator has ended the invoice agreement of the organization "${name}".`,
      isInvoiced
        ? 'Landlord continues to charge for running deployments. To create or upgrade paid deployments, the organization needs a payment method.'
        : 'The organization now pays with its other payment method.',
    ],
    closing: ['If you do not know the reason, ask the operator of this installation.'],
  }),
});
