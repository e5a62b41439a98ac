import { Controller, Get } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import { Actor, InTenant, RequirePermission, Returns, type ActingCaller } from '@libs/http';
import { DeploymentTierView, TenantView } from './dto/tenant.view.js';
import { TenantsService } from './tenants.service.js';

@ApiTags('Organization')
@ApiExtraModels(DeploymentTierView)
@Controller('tenants/:tenant_id')
export class TenantsController {
  constructor(private readonly tenants: TenantsService) {}

  /** Reads the tenant, with the limits and capabilities of its plan. */
  @Get()
  @RequirePermission('info:read')
  @InTenant()
  @Returns(TenantView)
  get(@Actor() actor: ActingCaller): Promise<TenantView> {
    return this.tenants.get(actor);
  }
}
