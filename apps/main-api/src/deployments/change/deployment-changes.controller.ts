import { Body, Post, Put } from '@nestjs/common';
import { DomainError, Precondition } from '@libs/domain';
import {
  Actor,
  FailsWith,
  IfMatch,
  Returns,
  Routes,
  WritesUnaudited,
  WritesWhenChanged,
  type ActingCaller,
} from '@libs/http';
import { DeploymentChanges } from './deployment-changes.js';
import {
  ChangeRetentionDto,
  ExtendDeploymentDto,
  SpendLimitDto,
  UpdateDeploymentDto,
} from '../dto/change-deployment.dto.js';
import { DeploymentView } from '../dto/deployment.view.js';

@Routes(
  'tenants/:tenant_id/divisions/:division_id/environments/:environment_id/deployments/:deployment_id',
  'Deployments',
)
export class DeploymentChangesController {
  constructor(private readonly changes: DeploymentChanges) {}

  /** Changes name, description and protection. Members that are left out stay unchanged. */
  @Put()
  @WritesWhenChanged('deployment:manage', 'deployment_updated')
  @Returns(DeploymentView)
  @FailsWith('name_taken')
  update(
    @Actor() actor: ActingCaller,
    @Body() dto: UpdateDeploymentDto,
    @IfMatch() precondition: Precondition,
  ): Promise<DeploymentView> {
    return this.changes.update(actor, dto, precondition);
  }

  /** Sets the monthly spend at which the tenant is notified. */
  @Put('spend_limit')
  @WritesWhenChanged('deployment:manage', 'deployment_updated')
  @Returns(DeploymentView)
  limitSpend(
    @Actor() actor: ActingCaller,
    @Body() dto: SpendLimitDto,
    @IfMatch() precondition: Precondition,
  ): Promise<DeploymentView> {
    return this.changes.limitSpend(actor, dto, precondition);
  }

  /** Sets how long metrics, logs and heartbeats are kept, up to the days of the terms. */
  @Put('retention')
  @WritesWhenChanged('deployment:manage', 'deployment_updated')
  @Returns(DeploymentView)
  @FailsWith('retention_above_maximum')
  retain(
    @Actor() actor: ActingCaller,
    @Body() dto: ChangeRetentionDto,
    @IfMatch() precondition: Precondition,
  ): Promise<DeploymentView> {
    return this.changes.retain(actor, dto, precondition);
  }

  /** Reserved: the number of nodes follows the throughput at creation, and no deployment is extended. */
  @Post('extend')
  @WritesUnaudited('deployment:manage', 'always refused')
  @Returns(DeploymentView)
  @FailsWith('cluster_extension_not_allowed')
  extend(@Body() _dto: ExtendDeploymentDto): never {
    throw new DomainError('cluster_extension_not_allowed', 'Nodes cannot be added to a deployment.');
  }
}
