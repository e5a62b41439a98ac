import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  Actor,
  FailsWith,
  Idempotent,
  InDeployment,
  NotAudited,
  RequirePermission,
  Returns,
  type ActingCaller,
} from '@libs/http';
import { DeploymentsService } from './deployments.service.js';
import { UpgradePreviewView } from './dto/preview.view.js';
import { UpgradeDto } from './dto/upgrade.dto.js';

@ApiTags('Deployments')
@Controller('tenants/:tenant_id/divisions/:division_id/environments/:environment_id/deployments/:deployment_id/upgrade')
export class DeploymentUpgradesController {
  constructor(private readonly deployments: DeploymentsService) {}

  /** Shows what an upgrade would make of the deployment and how much more it would cost; changes nothing. */
  @Post('preview')
  @RequirePermission('deployment:read')
  @Idempotent()
  @NotAudited('changes nothing')
  @InDeployment()
  @Returns(UpgradePreviewView)
  @FailsWith('downgrade_not_allowed', 'storage_cannot_shrink', 'tier_feature_unsupported')
  preview(@Actor() actor: ActingCaller, @Body() dto: UpgradeDto): Promise<UpgradePreviewView> {
    return this.deployments.previewUpgrade(actor, dto);
  }
}
