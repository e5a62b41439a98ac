import { Inject, Injectable } from '@nestjs/common';
import { Catalog } from '@libs/catalog';
import { DomainError, reachOf, type Written } from '@libs/domain';
import { Page, type ActingCaller } from '@libs/http';
import { DeploymentsRepository, type DeploymentDetailRow } from '@libs/persistence/organization';
import { MAIN_API_CONFIG, type MainApiConfig } from '../config.js';
import { EnvironmentsService } from '../environments/index.js';
import { DeploymentCreation } from './create/deployment-creation.js';
import type { CreateManagedDto } from './dto/create-managed.dto.js';
import type { CreateStarterDto } from './dto/create-starter.dto.js';
import type { AcceptedView, DeploymentItemView, DeploymentView } from './dto/deployment.view.js';
import type { DeploymentsQuery } from './dto/deployments.query.js';
import type { PreviewView, UpgradePreviewView } from './dto/preview.view.js';
import type { ShapeDto } from './dto/shape.dto.js';
import type { UpgradeDto } from './dto/upgrade.dto.js';
import { toManagedRequest } from './create/managed-rules.js';
import { Orderability } from './create/orderability.js';
import { previewUpgrade, toPreviewRequest, toPreview } from './create/preview.js';
import { toStarterRequest } from './create/starter-request.js';
import { toDetailView, toItemView, viewContext, type ViewContext } from './to-deployment-view.js';

const DEFAULT_ENVIRONMENT = 'sandbox';

const namesUnavailable = (): DomainError =>
  new DomainError('feature_unavailable', '`subdomain_enabled` is not possible: this installation publishes no names.');

@Injectable()
export class DeploymentsService {
  private readonly context: ViewContext;

  constructor(
    private readonly deployments: DeploymentsRepository,
    private readonly catalog: Catalog,
    private readonly creation: DeploymentCreation,
    private readonly environments: EnvironmentsService,
    private readonly orderability: Orderability,
    @Inject(MAIN_API_CONFIG) private readonly config: MainApiConfig,
  ) {
    this.context = viewContext(config);
  }

  async list(actor: ActingCaller, query: DeploymentsQuery): Promise<Page<DeploymentItemView>> {
    const page = await this.deployments.list(actor.tenantId, actor.environment.id, query, query);
    return Page.of(page, (row) => toItemView(row, this.context), query);
  }

  /** The deployments of all environments that the caller may read. */
  async listOfTenant(actor: ActingCaller, query: DeploymentsQuery): Promise<Page<DeploymentItemView>> {
    const reach = reachOf(actor.caller.holding, 'deployment:read');
    const page = await this.deployments.listOfTenant(actor.tenantId, reach, query, query);
    return Page.of(page, (row) => toItemView(row, this.context), query);
  }

  /** @throws DomainError deployment_not_found */
  async get(actor: ActingCaller): Promise<DeploymentView> {
    return toDetailView(await this.find(actor), this.context);
  }

  /** @throws DomainError validation_failed, tier_feature_unsupported */
  async preview(actor: ActingCaller, dto: ShapeDto): Promise<PreviewView> {
    const request = toPreviewRequest(this.catalog, dto);
    const { blockers, warnings } = await this.orderability.of(actor, request);
    const quote = toPreview(this.catalog, request.shape, request.quote);
    return { ...quote, orderable: blockers.length === 0, warnings, blocked_by: blockers };
  }

  /** @throws DomainError deployment_not_found, validation_failed, downgrade_not_allowed, storage_cannot_shrink */
  async previewUpgrade(actor: ActingCaller, dto: UpgradeDto): Promise<UpgradePreviewView> {
    return previewUpgrade(this.catalog, await this.find(actor), dto);
  }

  /** @throws DomainError feature_unavailable, and those of `toManagedRequest` and of `DeploymentCreation.create` */
  async createManaged(actor: ActingCaller, dto: CreateManagedDto): Promise<Written<AcceptedView>> {
    if (dto.subdomain_enabled === true && this.config.LANDLORD_DNS === 'none') throw namesUnavailable();
    return this.creation.create(actor, actor.environment.id, toManagedRequest(this.catalog, dto));
  }

  async createStarter(actor: ActingCaller, dto: CreateStarterDto): Promise<Written<AcceptedView>> {
    const request = toStarterRequest(this.catalog, dto);
    const environmentId =
      dto.environment_id ?? (await this.environments.ensure(actor, dto.environment_name ?? DEFAULT_ENVIRONMENT)).id;
    return this.creation.create(actor, environmentId, request);
  }

  private async find(actor: ActingCaller): Promise<DeploymentDetailRow> {
    // The statement of the guard has read the row, on a route that asks for the row.
    const row =
      (actor.deploymentRow as DeploymentDetailRow | null) ??
      (await this.deployments.find(actor.tenantId, actor.environment.id, actor.deployment.id));
    if (!row) throw new DomainError('deployment_not_found', 'No such deployment.');
    return row;
  }
}
