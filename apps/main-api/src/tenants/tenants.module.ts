import { Module } from '@nestjs/common';
import { ProtectionCodesModule } from '../protection-codes/index.js';
import { AddressChange } from './address-change.js';
import { FreeDeployments } from './free-deployments.js';
import { OwnedTenants } from './owned-tenants.js';
import { StructureService } from './structure.service.js';
import { TenantConfigController } from './tenant-config.controller.js';
import { TenantConfigService } from './tenant-config.service.js';
import { TenantEntitlements } from './tenant-entitlements.js';
import { TenantOwnershipService } from './tenant-ownership.service.js';
import { TenantsController } from './tenants.controller.js';
import { TierQuotas } from './tier-quotas.js';
import { TenantsService } from './tenants.service.js';

@Module({
  imports: [ProtectionCodesModule],
  controllers: [TenantsController, TenantConfigController],
  providers: [
    ...[TenantsService, TenantOwnershipService, TenantConfigService, StructureService, TenantEntitlements],
    ...[AddressChange, OwnedTenants, FreeDeployments, TierQuotas],
  ],
  exports: [TenantEntitlements, OwnedTenants, FreeDeployments, TierQuotas],
})
export class TenantsModule {}
