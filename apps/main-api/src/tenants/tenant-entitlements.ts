import { Injectable } from '@nestjs/common';
import { Catalog, Entitlements } from '@libs/catalog';
import { DomainError, type FeatureFlag, type LimitName } from '@libs/domain';
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

/** @throws DomainError plan_feature_required */
export function requireFeature(entitlements: Entitlements, flag: FeatureFlag): void {
  if (entitlements.has(flag)) return;
  throw new DomainError('plan_feature_required', `The plan does not include ${flag}.`, { members: { feature: flag } });
}

/** @throws DomainError plan_limit_reached, when so many are over the limit */
export function requireWithin(entitlements: Entitlements, limit: LimitName, wanted: number): void {
  if (wanted > 0) requireRoom(entitlements, limit, wanted - 1);
}

/** @throws DomainError plan_limit_reached, when one more would be over the limit */
export function requireRoom(entitlements: Entitlements, limit: LimitName, usage: number): void {
  const value = entitlements.limit(limit);
  if (usage < value) return;
  throw new DomainError('plan_limit_reached', `The plan allows ${value} (${limit}).`, {
    members: { limit_name: limit, limit: value, usage },
  });
}
