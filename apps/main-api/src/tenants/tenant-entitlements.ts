import { Injectable } from '@nestjs/common';
import { Catalog, Entitlements } from '@libs/catalog';
import { DomainError } from '@libs/domain';
import { Database } from '@libs/persistence';
import { TenantsRepository, type TenantPlan } from '@libs/persistence/organization';

/** What a tenant may use, and the one way to refuse what it may not. */
@Injectable()
export class TenantEntitlements {
  private readonly tenants: TenantsRepository;

  constructor(
    database: Database,
    private readonly catalog: Catalog,
  ) {
    this.tenants = new TenantsRepository(database);
  }

  /** Of a tenant that was read. */
  ofPlan({ plan, planOverrides }: Pick<TenantPlan, 'plan' | 'planOverrides'>): Entitlements {
    return new Entitlements(this.catalog, plan, planOverrides);
  }

  async of(tenantId: number): Promise<TenantEntitlement> {
    return this.entitlement(await this.tenants.plan(tenantId));
  }

  /**
   * Holds the tenant until the transaction ends, so that what is counted next cannot grow beside it. Two requests that
   * both see the last free place would otherwise both take it.
   */
  async lock(tenantId: number): Promise<TenantEntitlement> {
    return this.entitlement(await this.tenants.lock(tenantId));
  }

  private entitlement(plan: TenantPlan | null): TenantEntitlement {
    if (!plan) throw new DomainError('tenant_not_found', 'No such tenant.');
    return new TenantEntitlement(this.catalog, plan);
  }
}

/** What one tenant may use, and whether it can pay. */
export class TenantEntitlement extends Entitlements {
  readonly hasPaymentMethod: boolean;

  constructor(catalog: Catalog, { plan, planOverrides, hasPaymentMethod }: TenantPlan) {
    super(catalog, plan, planOverrides);
    this.hasPaymentMethod = hasPaymentMethod;
  }
}

/** @throws DomainError payment_method_required */
export function requirePayment({ hasPaymentMethod }: TenantEntitlement): void {
  if (hasPaymentMethod) return;
  throw new DomainError('payment_method_required', 'Add a card or an invoice agreement before paid deployments.');
}
