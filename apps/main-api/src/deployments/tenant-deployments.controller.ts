import { Get, Query } from '@nestjs/common';
import { Actor, anywhere, Lists, Routes, type ActingCaller, type Page } from '@libs/http';
import { DeploymentsService } from './deployments.service.js';
import { DeploymentItemView } from './dto/deployment.view.js';
import { DeploymentsQuery } from './dto/deployments.query.js';

@Routes('tenants/:tenant_id/deployments', 'Deployments')
export class TenantDeploymentsController {
  constructor(private readonly deployments: DeploymentsService) {}

  /** Lists the deployments of all environments that the caller may read. */
  @Get()
  @Lists(anywhere('deployment:read'), DeploymentItemView)
  list(@Actor() actor: ActingCaller, @Query() query: DeploymentsQuery): Promise<Page<DeploymentItemView>> {
    return this.deployments.listOfTenant(actor, query);
  }
}
