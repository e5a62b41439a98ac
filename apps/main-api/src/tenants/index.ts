export { FreeDeployments } from './free-deployments.js';
export { OwnedTenants } from './owned-tenants.js';
export { TenantsModule } from './tenants.module.js';
export { requirePayment, TenantEntitlements, type TenantEntitlement } from './tenant-entitlements.js';
export { TierQuotas } from './tier-quotas.js';
