export { TenantsModule } from './tenants.module.js';
export { requireFeature, requireRoom, TenantEntitlements } from './tenant-entitlements.js';
