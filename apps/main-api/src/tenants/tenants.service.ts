import { Injectable } from '@nestjs/common';
import { Catalog, Entitlements } from '@libs/catalog';
import type { ActingCaller } from '@libs/http';
import { Database } from '@libs/persistence';
import { TenantsRepository } from '@libs/persistence/organization';
import type { TenantView } from './dto/tenant.view.js';
import { toTenantView } from './to-tenant-view.js';

@Injectable()
export class TenantsService {
  private readonly tenants: TenantsRepository;

  constructor(
    database: Database,
    private readonly catalog: Catalog,
  ) {
    this.tenants = new TenantsRepository(database);
  }

  async get(actor: ActingCaller): Promise<TenantView> {
    const tenant = await this.tenants.get(actor.tenantId);
    const entitlements = new Entitlements(this.catalog, tenant.plan, tenant.planOverrides);
    return toTenantView(tenant, await this.tenants.counts(tenant.id), entitlements);
  }
}
