import { Injectable } from '@nestjs/common';
import type { TenantId } from '@libs/domain';
import { statement, Database } from '../database.js';

/**
 * The party that granted the agreement: the seed of the installation, an operator, or the tenant itself. `kept`: the tenant
 * paid by invoice before operators had to agree.
 */
export type AgreementGranter = 'installation' | 'operator' | 'self_service' | 'kept';

const EXISTS = statement(
  'invoice_agreement.exists',
  'select exists(select 1 from invoice_agreements where tenant_id = $1) as exists',
);
const GRANT = statement(
  'invoice_agreement.grant',
  `insert into invoice_agreements as a (tenant_id, granted_by) values ($1, $2)
   on conflict (tenant_id) do update set granted_by = excluded.granted_by, granted_at = now()
     where a.granted_by <> excluded.granted_by`,
);
const REVOKE = statement('invoice_agreement.revoke', 'delete from invoice_agreements where tenant_id = $1');

/** Tenants that may pay by invoice. Call every method that writes under the lock of the tenant. */
@Injectable()
export class InvoiceAgreementsRepository {
  constructor(private readonly database: Database) {}

  async exists(tenantId: TenantId): Promise<boolean> {
    const [row] = await this.database.query<{ exists: boolean }>(EXISTS, [tenantId]);
    return row?.exists ?? false;
  }

  /** Returns false when the tenant already has an agreement from the same granter. */
  async grant(tenantId: TenantId, by: AgreementGranter): Promise<boolean> {
    return (await this.database.execute(GRANT, [tenantId, by])) === 1;
  }

  /** Returns false when there was no agreement. */
  async revoke(tenantId: TenantId): Promise<boolean> {
    return (await this.database.execute(REVOKE, [tenantId])) === 1;
  }
}
