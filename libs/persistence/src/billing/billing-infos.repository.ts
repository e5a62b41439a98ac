import { Injectable } from '@nestjs/common';
import type { TenantId } from '@libs/domain';
import { statement, Database } from '../database.js';
import { BillingInfo as BillingInfoEntity } from './entities/billing-info.entity.js';

/** The addressee of invoices. */
export interface BillingInfo extends Pick<BillingInfoEntity, 'company' | 'email' | 'address'> {
  taxId: string | null;
  purchaseOrder: string | null;
  /** Null until the tenant saved billing information. */
  updatedAt: Date | null;
}

export type BillingInfoValues = Omit<BillingInfo, 'updatedAt'>;

const PUT = statement(
  'billing_info.put',
  `insert into billing_infos (tenant_id, company, email, address, tax_id, purchase_order) values ($1, $2, $3, $4::jsonb, $5, $6)
   on conflict (tenant_id) do update set company = excluded.company, email = excluded.email, address = excluded.address,
     tax_id = excluded.tax_id, purchase_order = excluded.purchase_order, updated_at = now()`,
);

const NONE: BillingInfo = {
  ...{ company: null, email: null, address: null, taxId: null, purchaseOrder: null, updatedAt: null },
};

@Injectable()
export class BillingInfosRepository {
  constructor(private readonly database: Database) {}

  /** All members are null for a tenant without billing information. */
  async find(tenantId: TenantId): Promise<BillingInfo> {
    const info = await this.database.repository(BillingInfoEntity).findOneBy({ tenant_id: tenantId });
    if (!info) return NONE;
    const { company, email, address, tax_id, purchase_order, updated_at } = info;
    const ids = { taxId: tax_id || null, purchaseOrder: purchase_order || null };
    return { company: company || null, email, address, ...ids, updatedAt: updated_at };
  }

  async put(tenantId: TenantId, info: BillingInfoValues): Promise<void> {
    const address = info.address === null ? null : JSON.stringify(info.address);
    await this.database.execute(PUT, [tenantId, info.company, info.email, address, info.taxId, info.purchaseOrder]);
  }
}
