import { Inject, Injectable } from '@nestjs/common';
import { DomainError, type TenantId } from '@libs/domain';
import { InvoiceAgreementsRepository } from '@libs/persistence/billing';
import { MAIN_API_CONFIG, type MainApiConfig } from '../../config.js';

/** Decides whether a tenant may pay by invoice: paid compute on credit needs an agreement. */
@Injectable()
export class InvoiceAgreements {
  private readonly isSelfService: boolean;

  constructor(
    private readonly agreements: InvoiceAgreementsRepository,
    @Inject(MAIN_API_CONFIG) config: Pick<MainApiConfig, 'INVOICE_AGREEMENTS'>,
  ) {
    this.isSelfService = config.INVOICE_AGREEMENTS === 'self_service';
  }

  /** The caller must have the lock of the tenant. @throws DomainError invoice_agreement_required */
  async require(tenantId: TenantId): Promise<void> {
    if (await this.agreements.exists(tenantId)) return;
    if (!this.isSelfService)
      throw new DomainError('invoice_agreement_required', 'The tenant has no agreement to pay by invoice.');
    await this.agreements.grant(tenantId, 'self_service');
  }
}
