import { Body, Delete, Get, Post, Query } from '@nestjs/common';
import {
  Accepts,
  Actor,
  CodeQuery,
  FailsWith,
  IfMatch,
  Lists,
  LocatedAt,
  Reads,
  ReadsDeployment,
  Returns,
  Routes,
  WithinPlan,
  Writes,
  WritesUnaudited,
  type ActingCaller,
  type Page,
} from '@libs/http';
import { Precondition, type Written } from '@libs/domain';
import { DeploymentDeletion } from './delete/deployment-deletion.js';
import { CREATION_TERMS } from './create/creation-terms.js';
import { DeploymentsService } from './deployments.service.js';
import { CreateManagedDto } from './dto/create-managed.dto.js';
import { AcceptedView, DeploymentItemView, DeploymentView } from './dto/deployment.view.js';
import { DeploymentsQuery } from './dto/deployments.query.js';
import { PreviewView } from './dto/preview.view.js';
import { ShapeDto } from './dto/shape.dto.js';

@Routes('tenants/:tenant_id/divisions/:division_id/environments/:environment_id/deployments', 'Deployments')
export class DeploymentsController {
  constructor(
    private readonly deployments: DeploymentsService,
    private readonly deletion: DeploymentDeletion,
  ) {}

  /**
   * Validates a shape and returns the resulting deployment and its price, and whether a creation would be refused now. The
   * request creates nothing.
   */
  @Post('preview')
  @WritesUnaudited('deployment:read', 'creates nothing')
  @Returns(PreviewView)
  @FailsWith('tier_feature_unsupported')
  preview(@Actor() actor: ActingCaller, @Body() dto: ShapeDto): Promise<PreviewView> {
    return this.deployments.preview(actor, dto);
  }

  /** Creates a managed deployment. The deployment is readable at once, and its operation shows the progress. */
  @Post('managed')
  @Writes('deployment:manage', 'deployment_created')
  @Accepts(AcceptedView, 'environment', 'deployment')
  @LocatedAt('/tenants/:tenant_id/divisions/:division_id/environments/:environment/deployments/:deployment')
  @WithinPlan(
    ...CREATION_TERMS,
    'backup_enabled',
    'cluster_enabled',
    'multi_az_enabled',
    'customer_managed_keys_enabled',
    'dedicated_enabled',
  )
  @FailsWith('tier_feature_unsupported', 'retention_above_maximum', 'payment_method_required')
  @FailsWith('name_taken', 'provider_unavailable', 'feature_unavailable')
  @FailsWith('deployment_not_found', 'backup_not_found', 'backup_not_compatible')
  @FailsWith('storage_cannot_shrink', 'state_conflict')
  createManaged(@Actor() actor: ActingCaller, @Body() dto: CreateManagedDto): Promise<Written<AcceptedView>> {
    return this.deployments.createManaged(actor, dto);
  }

  /** Lists the deployments of the environment. */
  @Get()
  @Lists('deployment:read', DeploymentItemView)
  list(@Actor() actor: ActingCaller, @Query() query: DeploymentsQuery): Promise<Page<DeploymentItemView>> {
    return this.deployments.list(actor, query);
  }

  /** Reads one deployment. The Supervisor at `supervisor_url` has its live state. */
  @Get(':deployment_id')
  @Reads('deployment:read', DeploymentView)
  @ReadsDeployment()
  get(@Actor() actor: ActingCaller): Promise<DeploymentView> {
    return this.deployments.get(actor);
  }

  /**
   * Deletes a deployment with its nodes, data, configuration, backups and telemetry. The deletion takes precedence over
   * running operations.
   */
  @Delete(':deployment_id')
  @Writes('deployment:manage', 'deployment_deleted')
  @Accepts(AcceptedView, 'environment', 'deployment')
  @LocatedAt('/tenants/:tenant_id/operations/:operation')
  @FailsWith('protection_code_required', 'protection_code_invalid', 'state_conflict')
  delete(
    @Actor() actor: ActingCaller,
    @Query() { code }: CodeQuery,
    @IfMatch() precondition: Precondition,
  ): Promise<Written<AcceptedView>> {
    return this.deletion.delete(actor, code, precondition);
  }
}
