import { Injectable } from '@nestjs/common';
import type { TenantId } from '@libs/domain';
import { statement, Database } from '../database.js';
import { InvoiceAgreement } from './entities/invoice-agreement.entity.js';

/**
 * The party that granted the agreement: the seed of the installation, an operator, or the tenant itself. `kept`: the tenant
 * paid by invoice before operators had to agree.
 */
export type AgreementGranter = 'installation' | 'operator' | 'self_service' | 'kept';

const GRANT = statement(
  'invoice_agreement.grant',
  `insert into invoice_agreements as a (tenant_id, granted_by) values ($1, $2)
   on conflict (tenant_id) do update set granted_by = excluded.granted_by, granted_at = now()
     where a.granted_by <> excluded.granted_by`,
);

/** Tenants that may pay by invoice. Call every method that writes under the lock of the tenant. */
@Injectable()
export class InvoiceAgreementsRepository {
  constructor(private readonly database: Database) {}

  async exists(tenantId: TenantId): Promise<boolean> {
    return this.database.repository(InvoiceAgreement).existsBy({ tenant_id: tenantId });
  }

  /** Returns false when the tenant already has an agreement from the same granter. */
  async grant(tenantId: TenantId, by: AgreementGranter): Promise<boolean> {
    return (await this.database.execute(GRANT, [tenantId, by])) === 1;
  }

  /** Returns false when there was no agreement. */
  async revoke(tenantId: TenantId): Promise<boolean> {
    const { affected } = await this.database.repository(InvoiceAgreement).delete({ tenant_id: tenantId });
    return affected === 1;
  }
}
