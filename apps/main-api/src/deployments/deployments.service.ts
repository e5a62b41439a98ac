import { Inject, Injectable } from '@nestjs/common';
import { Catalog } from '@libs/catalog';
import { DomainError, type Written } from '@libs/domain';
import { Page, type ActingCaller, type PageQuery } from '@libs/http';
import { DeploymentsRepository, type DeploymentDetailRow } from '@libs/persistence/organization';
import { MAIN_API_CONFIG, type MainApiConfig } from '../config.js';
import { EnvironmentsService } from '../environments/index.js';
import { DeploymentCreation } from './create/deployment-creation.js';
import type { CreateManagedDto } from './dto/create-managed.dto.js';
import type { CreateStarterDto } from './dto/create-starter.dto.js';
import type { AcceptedView, DeploymentItemView, DeploymentView } from './dto/deployment.view.js';
import type { PreviewView, UpgradePreviewView } from './dto/preview.view.js';
import type { ShapeDto } from './dto/shape.dto.js';
import type { UpgradeDto } from './dto/upgrade.dto.js';
import { requestManaged } from './create/managed-rules.js';
import { preview, previewUpgrade } from './create/preview.js';
import { requestStarter } from './create/starter-request.js';
import { toDetailView, toItemView, viewContext, type ViewContext } from './to-deployment-view.js';

const DEFAULT_ENVIRONMENT = 'sandbox';

@Injectable()
export class DeploymentsService {
  private readonly context: ViewContext;

  constructor(
    private readonly deployments: DeploymentsRepository,
    private readonly catalog: Catalog,
    private readonly creation: DeploymentCreation,
    private readonly environments: EnvironmentsService,
    @Inject(MAIN_API_CONFIG) config: MainApiConfig,
  ) {
    this.context = viewContext(config);
  }

  async list(actor: ActingCaller, query: PageQuery): Promise<Page<DeploymentItemView>> {
    const { items, total } = await this.deployments.list(actor.tenantId, actor.environment.id, query);
    return new Page(
      items.map((row) => toItemView(row, this.context)),
      total,
      query,
    );
  }

  /** @throws DomainError deployment_not_found */
  async get(actor: ActingCaller): Promise<DeploymentView> {
    return toDetailView(await this.find(actor), this.context);
  }

  preview(dto: ShapeDto): PreviewView {
    return preview(this.catalog, dto);
  }

  /** @throws DomainError deployment_not_found, validation_failed, downgrade_not_allowed, storage_cannot_shrink */
  async previewUpgrade(actor: ActingCaller, dto: UpgradeDto): Promise<UpgradePreviewView> {
    return previewUpgrade(this.catalog, await this.find(actor), dto);
  }

  async createManaged(actor: ActingCaller, dto: CreateManagedDto): Promise<Written<AcceptedView>> {
    return this.creation.create(actor, actor.environment.id, requestManaged(this.catalog, dto));
  }

  async createStarter(actor: ActingCaller, dto: CreateStarterDto): Promise<Written<AcceptedView>> {
    const request = requestStarter(this.catalog, dto);
    const environmentId =
      dto.environment_id ?? (await this.environments.ensure(actor, dto.environment_name ?? DEFAULT_ENVIRONMENT)).id;
    return this.creation.create(actor, environmentId, request);
  }

  private async find(actor: ActingCaller): Promise<DeploymentDetailRow> {
    const row = await this.deployments.find(actor.tenantId, actor.environment.id, actor.deployment.id);
    if (!row) throw new DomainError('deployment_not_found', 'No such deployment.');
    return row;
  }
}
