import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Actor, FailsWith, InTenant, RequirePermission, ReturnsPageOf, type ActingCaller, type Page } from '@libs/http';
import { DeploymentsService } from './deployments.service.js';
import { DeploymentItemView } from './dto/deployment.view.js';
import { DeploymentsQuery } from './dto/deployments.query.js';

@ApiTags('Deployments')
@Controller('tenants/:tenant_id/deployments')
export class TenantDeploymentsController {
  constructor(private readonly deployments: DeploymentsService) {}

  /** Lists the deployments of all environments that the caller may read. */
  @Get()
  @RequirePermission('deployment:read', { anywhere: true })
  @InTenant()
  @ReturnsPageOf(DeploymentItemView)
  @FailsWith('validation_failed')
  list(@Actor() actor: ActingCaller, @Query() query: DeploymentsQuery): Promise<Page<DeploymentItemView>> {
    return this.deployments.listOfTenant(actor, query);
  }
}
