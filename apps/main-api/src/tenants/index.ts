export { TenantsModule } from './tenants.module.js';
export {
  requireFeature,
  requirePayment,
  requireRoom,
  requireWithin,
  TenantEntitlements,
  type TenantEntitlement,
} from './tenant-entitlements.js';
