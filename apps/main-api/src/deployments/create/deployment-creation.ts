import { Inject, Injectable } from '@nestjs/common';
import {
  deploymentDomain,
  DomainError,
  findGrant,
  requireFreeName,
  Written,
  type DeploymentId,
  type EnvironmentId,
} from '@libs/domain';
import type { ActingCaller, Named } from '@libs/http';
import { Ledger } from '@libs/ledger';
import { together } from '@libs/persistence';
import { DeploymentsRepository, EnvironmentsRepository, type Cell } from '@libs/persistence/organization';
import { Operations } from '@libs/workflow';
import { featuresOf } from '../../catalog/index.js';
import { MAIN_API_CONFIG, type MainApiConfig } from '../../config.js';
import { CellChoice } from './cell-choice.js';
import { newDeploymentCode } from './deployment-code.js';
import { DeploymentInitialRows } from './deployment-initial-rows.js';
import { DeploymentCapacity } from './deployment-capacity.js';
import type { AcceptedView } from '../dto/deployment.view.js';
import { requireEntitled, type DeploymentRequest } from './managed-rules.js';
import { createdData, type CreatedNode } from './created-data.js';
import { requirePaymentFor } from './orderability.js';

/** Attempts to generate a code that no other deployment has. */
const CODE_DRAWS = 5;

/** Creates the rows and the operation of an request, in the transaction of the request. */
@Injectable()
export class DeploymentCreation {
  constructor(
    private readonly deployments: DeploymentsRepository,
    private readonly environments: EnvironmentsRepository,
    private readonly cells: CellChoice,
    private readonly capacity: DeploymentCapacity,
    private readonly initialRows: DeploymentInitialRows,
    private readonly operations: Operations,
    private readonly ledger: Ledger,
    @Inject(MAIN_API_CONFIG) private readonly config: MainApiConfig,
  ) {}

  /**
   * @throws DomainError payment_method_required, plan_feature_required, environment_not_found, name_taken,
   *   plan_limit_reached, and those of `CellChoice.forRequest`
   */
  async create(
    actor: ActingCaller,
    environmentId: EnvironmentId,
    asked: DeploymentRequest,
  ): Promise<Written<AcceptedView>> {
    const request = this.withPossibleName(asked);
    const entitlements = await this.capacity.lock(actor.tenantId);
    requirePaymentFor(entitlements, request);
    requireEntitled(entitlements, request);
    // The lock of the tenant is held from here. Statements that do not need each other's results share a round trip.
    const [environment, , , cell] = await together([
      this.findEnvironment(actor, environmentId),
      this.requireFreeName(actor, environmentId, request.name),
      this.capacity.require(actor.tenantId, entitlements, request),
      this.cells.forRequest(actor, entitlements, request),
    ]);
    const { id, code } = await this.insert(actor, environmentId, request, cell);
    const [nodes, started] = await together([
      this.initialRows.give(id, request, cell, actor.caller.user.id),
      this.start(actor, environmentId, id, cell, request),
    ]);
    await this.record(actor, environment, request, { id, code, nodes });
    return started;
  }

  private async record(
    actor: ActingCaller,
    environment: Named<EnvironmentId>,
    request: DeploymentRequest,
    { id, code, nodes }: { id: DeploymentId; code: string; nodes: CreatedNode[] },
  ): Promise<void> {
    const context = {
      tenantId: actor.tenantId,
      division: actor.division,
      environment,
      deployment: { id, name: request.name },
    };
    const domain = deploymentDomain({ ...requestColumns(request), code }, this.config.BASE_DOMAIN);
    const data = createdData(request, { code, domain, nodes });
    const event = {
      type: 'deployment_created',
      key: `deployment_created:${id}`,
      subject: `Deployment ${request.name}`,
      data,
    } as const;
    await this.ledger.record({
      audit: 'deployment_created',
      event,
      author: actor.author,
      context,
      data,
      traceId: actor.traceId,
    });
  }

  /** Stored with the deployment, so that a later change of the setting changes no existing name. */
  private withPossibleName(request: DeploymentRequest): DeploymentRequest {
    return { ...request, hasSubdomain: request.hasSubdomain && this.config.LANDLORD_DNS !== 'none' };
  }

  private async start(
    actor: ActingCaller,
    environmentId: EnvironmentId,
    id: DeploymentId,
    cell: Cell,
    { restoreFrom }: DeploymentRequest,
  ): Promise<Written<AcceptedView>> {
    const operation = await this.operations.start({
      type: 'provision_deployment',
      cell: cell.cell,
      tenantId: actor.tenantId,
      divisionId: actor.division.id,
      environmentId,
      deploymentId: id,
      authorId: actor.caller.user.id,
      apiKeyId: actor.caller.key?.id ?? null,
      traceId: actor.traceId,
      ...(restoreFrom && { memo: { source_id: restoreFrom.deploymentId, backup_id: restoreFrom.backupId } }),
    });
    const body = { environment_id: environmentId, deployment_id: id, operation_id: operation };
    return new Written(body, { environment: environmentId, deployment: id, operation });
  }

  private async findEnvironment(actor: ActingCaller, id: EnvironmentId): Promise<Named<EnvironmentId>> {
    const environment = await this.environments.findForShare(actor.tenantId, actor.division.id, id);
    if (!environment) throw new DomainError('environment_not_found', 'No such environment.');
    return environment;
  }

  private async requireFreeName(actor: ActingCaller, environmentId: EnvironmentId, name: string): Promise<void> {
    const id = await this.deployments.findIdByName(actor.tenantId, environmentId, name);
    const scope = { divisionId: actor.division.id, environmentId };
    const isReadable = (): boolean => findGrant(actor.caller.holding, 'deployment:read', scope) !== null;
    requireFreeName('deployment', name, { id, isReadable });
  }

  private async insert(
    actor: ActingCaller,
    environmentId: EnvironmentId,
    request: DeploymentRequest,
    cell: Cell,
  ): Promise<{ id: DeploymentId; code: string }> {
    const ids = {
      tenant_id: actor.tenantId,
      division_id: actor.division.id,
      environment_id: environmentId,
      cell: cell.cell,
      features: featuresOf(cell, request.shape.cloud),
    };
    for (let draw = 0; draw < CODE_DRAWS; draw += 1) {
      const code = newDeploymentCode();
      const id = await this.deployments.insert({
        ...ids,
        ...requestColumns(request),
        code,
        author_id: actor.caller.user.id,
      });
      if (id !== null) return { id, code };
    }
    throw new DomainError('internal_error', 'No free deployment code was found.');
  }
}

function requestColumns({ shape, quote, ...request }: DeploymentRequest) {
  return {
    name: request.name,
    description: request.description,
    variant: request.variant,
    cloud: shape.cloud,
    area: request.area,
    region: shape.region,
    tier: shape.tier,
    cluster: shape.cluster,
    managed_tier: shape.managedTier,
    storage_type: shape.storage.type,
    storage_size: shape.storage.size,
    target_network_tput: shape.targetNetworkTput,
    network_scope: shape.networkScope,
    availability_mode: shape.availabilityMode,
    nodes_count: quote.nodes,
    protected: request.isProtected,
    encrypted: request.isEncrypted,
    public_ip_enabled: request.hasPublicIp,
    subdomain_enabled: request.hasSubdomain,
    dedicated: request.isDedicated,
    telemetry_days: request.telemetryDays,
    telemetry_days_explicit: request.isTelemetryExplicit,
    spend_limit: request.spendLimit === null ? null : request.spendLimit.toFixed(2),
    monthly_compute: quote.computeUsd.toFixed(2),
    monthly_storage: quote.storageUsd.toFixed(2),
    pricing_version: quote.pricingVersion,
    cloud_account_id: request.cloudAccountId,
  };
}
