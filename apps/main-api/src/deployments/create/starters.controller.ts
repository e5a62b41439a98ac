import { Body, Post } from '@nestjs/common';
import {
  Accepts,
  Actor,
  anywhere,
  FailsWith,
  LocatedAt,
  requirePermission,
  Routes,
  WithinPlan,
  Writes,
  type AccessRule,
  type ActingCaller,
} from '@libs/http';
import { type Written } from '@libs/domain';
import { CREATION_TERMS } from './creation-terms.js';
import { DeploymentsService } from '../deployments.service.js';
import { CreateStarterDto } from '../dto/create-starter.dto.js';
import { AcceptedView } from '../dto/deployment.view.js';

/** The guard knows the path only, and the body names the environment. */
const MANAGES: AccessRule = { kind: 'permission', permission: 'deployment:manage', anywhere: false };

@Routes('tenants/:tenant_id/divisions/:division_id/deployments', 'Deployments')
export class StartersController {
  constructor(private readonly deployments: DeploymentsService) {}

  /**
   * Creates a Free deployment with one node. A missing environment is created. `environment_id` needs the permission in this environment,
   * and no `environment_id` needs it in the division.
   */
  @Post('starter')
  @Writes(anywhere('deployment:manage'), 'deployment_created', 'environment_created')
  @Accepts(AcceptedView, 'environment', 'deployment')
  @LocatedAt('/tenants/:tenant_id/divisions/:division_id/environments/:environment/deployments/:deployment')
  @WithinPlan(...CREATION_TERMS, 'environments_limit', 'environments_per_division_limit')
  @FailsWith('environment_not_found', 'tier_feature_unsupported', 'name_taken', 'provider_unavailable')
  createStarter(@Actor() actor: ActingCaller, @Body() dto: CreateStarterDto): Promise<Written<AcceptedView>> {
    const environment = dto.environment_id === undefined ? null : { id: dto.environment_id, name: '' };
    requirePermission(MANAGES, actor.caller, { ...actor.ancestry, environment });
    return this.deployments.createStarter(actor, dto);
  }
}
