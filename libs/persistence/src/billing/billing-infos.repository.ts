import { Injectable } from '@nestjs/common';
import type { TenantId } from '@libs/domain';
import { statement, Database } from '../database.js';
import type { BillingInfo as BillingInfoEntity } from './entities/billing-info.entity.js';

/** The addressee of invoices. */
export interface BillingInfo extends Pick<BillingInfoEntity, 'company' | 'email' | 'address'> {
  taxId: string | null;
  purchaseOrder: string | null;
  /** Null until the tenant saved billing information. */
  updatedAt: Date | null;
}

export type BillingInfoValues = Omit<BillingInfo, 'updatedAt'>;

const FIND = statement(
  'billing_info.find',
  `select nullif(b.company, '') as company, b.email, b.address, nullif(b.tax_id, '') as "taxId",
          nullif(b.purchase_order, '') as "purchaseOrder", b.updated_at as "updatedAt"
     from (select $1::bigint as tenant_id) t left join billing_infos b using (tenant_id)`,
);
const PUT = statement(
  'billing_info.put',
  `insert into billing_infos (tenant_id, company, email, address, tax_id, purchase_order) values ($1, $2, $3, $4::jsonb, $5, $6)
   on conflict (tenant_id) do update set company = excluded.company, email = excluded.email, address = excluded.address,
     tax_id = excluded.tax_id, purchase_order = excluded.purchase_order, updated_at = now()`,
);

@Injectable()
export class BillingInfosRepository {
  constructor(private readonly database: Database) {}

  /** All members are null for a tenant without billing information. */
  async find(tenantId: TenantId): Promise<BillingInfo> {
    const [row] = await this.database.query<BillingInfo>(FIND, [tenantId]);
    return row as BillingInfo;
  }

  async put(tenantId: TenantId, info: BillingInfoValues): Promise<void> {
    const address = info.address === null ? null : JSON.stringify(info.address);
    await this.database.execute(PUT, [tenantId, info.company, info.email, address, info.taxId, info.purchaseOrder]);
  }
}
