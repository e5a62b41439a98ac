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
import { DeploymentUpgrades } from './deployment-upgrades.js';
import { AcceptedView } from '../dto/deployment.view.js';
import { DeploymentsService } from '../deployments.service.js';
import { UpgradePreviewView } from '../dto/preview.view.js';
import { UpgradeDto } from '../dto/upgrade.dto.js';

@Routes(
  'tenants/:tenant_id/divisions/:division_id/environments/:environment_id/deployments/:deployment_id/upgrade',
  'Deployments',
)
export class DeploymentUpgradesController {
  constructor(
    private readonly deployments: DeploymentsService,
    private readonly upgrades: DeploymentUpgrades,
  ) {}

  /**
   * Asks for a larger compute size, larger Network Drive storage, a higher managed tier, or several. Nodes get their new
   * size one after the other; a request for terms only touches none.
   */
  @Post()
  @Writes('deployment:manage', 'deployment_upgraded')
  @Accepts(AcceptedView, 'environment', 'deployment')
  @LocatedAt('/tenants/:tenant_id/operations/:operation')
  @WithinPlan('deployment_tiers')
  @FailsWith('downgrade_not_allowed', 'storage_cannot_shrink', 'tier_feature_unsupported', 'payment_method_required')
  @FailsWith('plan_feature_required', 'upgrade_cooldown', 'state_conflict')
  upgrade(@Actor() actor: ActingCaller, @Body() dto: UpgradeDto): Promise<Written<AcceptedView>> {
    return this.upgrades.upgrade(actor, dto);
  }

  /** Returns the deployment after an upgrade and the difference in price. The request changes nothing. */
  @Post('preview')
  @WritesUnaudited('deployment:read', 'changes nothing')
  @Returns(UpgradePreviewView)
  @FailsWith('downgrade_not_allowed', 'storage_cannot_shrink', 'tier_feature_unsupported')
  preview(@Actor() actor: ActingCaller, @Body() dto: UpgradeDto): Promise<UpgradePreviewView> {
    return this.deployments.previewUpgrade(actor, dto);
  }
}
