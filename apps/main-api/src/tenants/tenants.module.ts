import { Module } from '@nestjs/common';
import { TenantEntitlements } from './tenant-entitlements.js';
import { TenantsController } from './tenants.controller.js';
import { TenantsService } from './tenants.service.js';

@Module({
  controllers: [TenantsController],
  providers: [TenantsService, TenantEntitlements],
  exports: [TenantEntitlements],
})
export class TenantsModule {}
