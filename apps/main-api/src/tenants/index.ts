export { TenantsModule } from './tenants.module.js';
export { requireFeature, requirePayment, requireRoom, TenantEntitlements } from './tenant-entitlements.js';
