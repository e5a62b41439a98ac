import { Injectable } from '@nestjs/common';
import { Catalog, Entitlements } from '@libs/catalog';
import { DomainError, type TenantId } from '@libs/domain';
import { pipelined } from '@libs/persistence';
import { TenantsRepository, type TenantPlan } from '@libs/persistence/organization';

/** The entitlements of tenants, and the refusal of requests that exceed them. */
@Injectable()
export class TenantEntitlements {
  constructor(
    private readonly tenants: TenantsRepository,
    private readonly catalog: Catalog,
  ) {}

  /** For a tenant that was already read. */
  ofPlan({ plan, plan_overrides: planOverrides }: Pick<TenantPlan, 'plan' | 'plan_overrides'>): Entitlements {
    return new Entitlements(this.catalog, plan, planOverrides);
  }

  async of(tenantId: TenantId): Promise<TenantEntitlement> {
    return this.entitlement(await this.tenants.plan(tenantId));
  }

  /**
   * Locks the tenant until the transaction ends, so that counts stay correct. Without the lock, two requests that both
   * see the last free place would both take it.
   */
  async lock(tenantId: TenantId): Promise<TenantEntitlement> {
    return this.entitlement(await this.tenants.findPlanForUpdate(tenantId));
  }

  /**
   * Locks the tenant like `lock`, and starts the reads behind the lock. All are one packet, and PostgreSQL runs the statements of
   * a packet in their order: each read sees what the last holder of the lock has committed.
   * @throws DomainError tenant_not_found, and those of the reads
   */
  async locked<T>(tenantId: TenantId, reads: () => Promise<T>): Promise<[TenantEntitlement, T]> {
    return pipelined([this.lock(tenantId), reads()]);
  }

  private entitlement(plan: TenantPlan | null): TenantEntitlement {
    if (!plan) throw new DomainError('tenant_not_found', 'No such tenant.');
    return new TenantEntitlement(this.catalog, plan);
  }
}

/** The entitlements of one tenant, and whether it can pay. */
export class TenantEntitlement extends Entitlements {
  readonly hasPaymentMethod: boolean;

  constructor(
    catalog: Catalog,
    { plan, plan_overrides: planOverrides, has_payment_method: hasPaymentMethod }: TenantPlan,
  ) {
    super(catalog, plan, planOverrides);
    this.hasPaymentMethod = hasPaymentMethod;
  }
}

/** @throws DomainError payment_method_required */
export function requirePayment({ hasPaymentMethod }: TenantEntitlement): void {
  if (hasPaymentMethod) return;
  throw new DomainError('payment_method_required', 'Add a card or an invoice agreement before paid deployments.');
}
