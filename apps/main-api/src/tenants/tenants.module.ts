import { Module } from '@nestjs/common';
import { StructureService } from './structure.service.js';
import { TenantConfigController } from './tenant-config.controller.js';
import { TenantConfigService } from './tenant-config.service.js';
import { TenantEntitlements } from './tenant-entitlements.js';
import { TenantsController } from './tenants.controller.js';
import { TenantsService } from './tenants.service.js';

@Module({
  controllers: [TenantsController, TenantConfigController],
  providers: [TenantsService, TenantConfigService, StructureService, TenantEntitlements],
  exports: [TenantEntitlements],
})
export class TenantsModule {}
