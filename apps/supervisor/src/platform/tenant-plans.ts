import { Injectable } from '@nestjs/common';
import { Catalog, Entitlements } from '@libs/catalog';
import { DomainError } from '@libs/domain';
import { Database } from '@libs/persistence';
import { TenantPlansRepository } from '@libs/persistence/runtime';

/** The plan limits of tenants in this cell. */
@Injectable()
export class TenantPlans {
  private readonly plans: TenantPlansRepository;

  constructor(
    database: Database,
    private readonly catalog: Catalog,
  ) {
    this.plans = new TenantPlansRepository(database);
  }

  /** @throws DomainError tenant_not_found */
  async of(tenantId: number): Promise<Entitlements> {
    const found = await this.plans.find(tenantId);
    if (!found) throw new DomainError('tenant_not_found', 'No such tenant.');
    return new Entitlements(this.catalog, found.plan, found.overrides);
  }
}
