import { Body, Post } from '@nestjs/common';
import {
  Accepts,
  Actor,
  FailsWith,
  LocatedAt,
  Returns,
  Routes,
  WithinPlan,
  Writes,
  WritesUnaudited,
  type ActingCaller,
} from '@libs/http';
import { type Written } from '@libs/domain';
import { ByocDeployments } from './byoc-deployments.js';
import { ByocSetup } from './byoc-setup.js';
import { CREATION_TERMS } from '../create/creation-terms.js';
import { ByocSetupDto } from '../dto/byoc-setup.dto.js';
import { ByocSetupView } from '../dto/byoc-setup.view.js';
import { CreateByocDto } from '../dto/create-byoc.dto.js';
import { AcceptedView } from '../dto/deployment.view.js';

@Routes('tenants/:tenant_id/divisions/:division_id/environments/:environment_id/deployments/byoc', 'Deployments')
export class ByocController {
  constructor(
    private readonly byoc: ByocDeployments,
    private readonly setups: ByocSetup,
  ) {}

  /** Returns the steps that prepare an account at the cloud provider for deployments. The request creates nothing. */
  @Post('setup')
  @WritesUnaudited('deployment:manage', 'creates nothing')
  @WithinPlan('byoc_enabled')
  @Returns(ByocSetupView)
  setup(@Actor() actor: ActingCaller, @Body() dto: ByocSetupDto): Promise<ByocSetupView> {
    return this.setups.describe(actor, dto);
  }

  /**
   * Creates a deployment in the customer's own account. The deployment is readable at once, and its operation shows the
   * progress.
   */
  @Post()
  @Writes('deployment:manage', 'deployment_created')
  @Accepts(AcceptedView, 'environment', 'deployment')
  @LocatedAt('/tenants/:tenant_id/divisions/:division_id/environments/:environment/deployments/:deployment')
  @WithinPlan('byoc_enabled', ...CREATION_TERMS, 'cluster_enabled')
  @FailsWith('tier_feature_unsupported', 'state_conflict', 'name_taken', 'provider_unavailable')
  create(@Actor() actor: ActingCaller, @Body() dto: CreateByocDto): Promise<Written<AcceptedView>> {
    return this.byoc.create(actor, dto);
  }
}
