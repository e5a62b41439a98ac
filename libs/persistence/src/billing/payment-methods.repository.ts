import { Injectable } from '@nestjs/common';
import type { TenantId } from '@libs/domain';
import { statement, Database } from '../database.js';
import { PaymentMethod as PaymentMethodEntity } from './entities/payment-method.entity.js';

/** The payment method of a tenant. */
export interface PaymentMethod extends Pick<PaymentMethodEntity, 'provider' | 'reference'> {
  createdAt: Date;
  updatedAt: Date;
}

const PUT = statement(
  'payment_method.put',
  `insert into payment_methods as m (tenant_id, provider, reference) values ($1, $2, $3)
   on conflict (tenant_id) do update set provider = excluded.provider, reference = excluded.reference, updated_at = now()
     where (m.provider, m.reference) is distinct from (excluded.provider, excluded.reference)`,
);
// Paid deployments have terms of a managed tier. A deployment with a deleted runtime does not exist.
const IN_USE = statement(
  'payment_method.in_use',
  `select exists(select 1 from deployments d join deployment_runtimes r on r.deployment_id = d.id and r.deleted_at is null
                  where d.tenant_id = $1 and d.managed_tier is not null) as used`,
);

/** At most one payment method per tenant. */
@Injectable()
export class PaymentMethodsRepository {
  constructor(private readonly database: Database) {}

  async find(tenantId: TenantId): Promise<PaymentMethod | null> {
    const method = await this.database.repository(PaymentMethodEntity).findOneBy({ tenant_id: tenantId });
    if (!method) return null;
    const { provider, reference, created_at, updated_at } = method;
    return { provider, reference: reference || null, createdAt: created_at, updatedAt: updated_at };
  }

  /** Returns false when nothing changed. */
  async put(tenantId: TenantId, provider: PaymentMethod['provider'], reference: string | null): Promise<boolean> {
    return (await this.database.execute(PUT, [tenantId, provider, reference])) === 1;
  }

  /** Whether the tenant has paid deployments. */
  async isInUse(tenantId: TenantId): Promise<boolean> {
    const [row] = await this.database.query<{ used: boolean }>(IN_USE, [tenantId]);
    return row?.used ?? false;
  }

  /** Returns false when there was no payment method. */
  async delete(tenantId: TenantId): Promise<boolean> {
    const { affected } = await this.database.repository(PaymentMethodEntity).delete({ tenant_id: tenantId });
    return affected === 1;
  }
}
