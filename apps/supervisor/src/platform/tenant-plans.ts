import { Injectable } from '@nestjs/common';
import { Catalog, Entitlements } from '@libs/catalog';
import { DomainError, type TenantId } from '@libs/domain';
import { TenantPlansRepository } from '@libs/persistence/runtime';

/** The plan limits of tenants in this cell. */
@Injectable()
export class TenantPlans {
  constructor(
    private readonly plans: TenantPlansRepository,
    private readonly catalog: Catalog,
  ) {}

  /** @throws DomainError tenant_not_found */
  async of(tenantId: TenantId): Promise<Entitlements> {
    const plan = await this.plans.find(tenantId);
    if (!plan) throw new DomainError('tenant_not_found', 'No such tenant.');
    return new Entitlements(this.catalog, plan.plan, plan.overrides);
  }
}
