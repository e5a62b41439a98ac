import { TIERS, type Entitlements } from '@libs/catalog';
import { FEATURE_FLAGS, LIMITS } from '@libs/domain';
import type { Tenant, TenantCounts } from '@libs/persistence/organization';
import type { TenantView } from './dto/tenant.view.js';

/** Data of the record that is not in the row of the tenant. */
export interface TenantUse extends TenantCounts {
  /** The number of Free deployments that the owner may still have, over all tenants of the owner. */
  free_left: number;
}

export function toTenantView(tenant: Tenant, use: TenantUse, entitlements: Entitlements): TenantView {
  return {
    id: tenant.id,
    name: tenant.name,
    description: tenant.description,
    email: tenant.email,
    protected: tenant.protected,
    created_at: tenant.created_at.toISOString(),
    updated_at: tenant.updated_at.toISOString(),
    features: featuresOf(entitlements),
    subscription: {
      id: tenant.id,
      plan: tenant.plan,
      active: true,
      created_at: tenant.plan_since.toISOString(),
      valid_from: tenant.plan_since.toISOString(),
      valid_to: null,
    },
    starter_available: isStarterAvailable(use, entitlements),
    has_payment_method: use.has_payment_method,
    has_custom_email_domain: tenant.email_domain !== null,
  };
}

/** Checks the same limits as the creation of a Free deployment. */
const isStarterAvailable = (use: TenantUse, entitlements: Entitlements): boolean =>
  use.free_deployments < entitlements.tierLimit('free') &&
  use.deployments < entitlements.limit('concurrent_deployments_limit') &&
  use.free_left > 0;

const featuresOf = (entitlements: Entitlements): Record<string, unknown> => ({
  ...Object.fromEntries(LIMITS.map((name) => [name, entitlements.limit(name)])),
  ...Object.fromEntries(FEATURE_FLAGS.map((flag) => [flag, entitlements.has(flag)])),
  deployment_tiers: TIERS.map((tier) => ({ tier, limit: entitlements.tierLimit(tier) })).filter(
    ({ limit }) => limit > 0,
  ),
});
