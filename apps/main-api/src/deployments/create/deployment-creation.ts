import { Inject, Injectable } from '@nestjs/common';
import {
  deploymentDomain,
  DomainError,
  findGrant,
  requireFreeName,
  Written,
  type DeploymentId,
  type EnvironmentId,
  type OperationId,
} from '@libs/domain';
import type { ActingCaller, Named } from '@libs/http';
import { Ledger } from '@libs/ledger';
import { pipelined } from '@libs/persistence';
import {
  DeploymentsRepository,
  EnvironmentsRepository,
  type Cell,
  type ReservedIds,
} from '@libs/persistence/organization';
import type { NewNode } from '@libs/persistence/runtime';
import { Operations } from '@libs/workflow';
import { featuresOf } from '../../catalog/index.js';
import { MAIN_API_CONFIG, type MainApiConfig } from '../../config.js';
import { CellChoice } from './cell-choice.js';
import { newDeploymentCode } from './deployment-code.js';
import { DeploymentInitialRows } from './deployment-initial-rows.js';
import { DeploymentQuota } from './deployment-quota.js';
import type { AcceptedView } from '../dto/deployment.view.js';
import { requireEntitled, type DeploymentRequest } from './managed-rules.js';
import { createdData } from './created-data.js';
import { requirePaymentFor } from './orderability.js';

type InsertMore = (id: DeploymentId) => Promise<void>;

/** Creates the rows and the operation of a request, in the transaction of the request. */
@Injectable()
export class DeploymentCreation {
  constructor(
    private readonly deployments: DeploymentsRepository,
    private readonly environments: EnvironmentsRepository,
    private readonly cells: CellChoice,
    private readonly quota: DeploymentQuota,
    private readonly initialRows: DeploymentInitialRows,
    private readonly operations: Operations,
    private readonly ledger: Ledger,
    @Inject(MAIN_API_CONFIG) private readonly config: MainApiConfig,
  ) {}

  /**
   * `insertMore` inserts further rows of the deployment, in the packet of its other rows.
   * @throws DomainError payment_method_required, plan_feature_required, environment_not_found, name_taken,
   *   plan_limit_reached, and those of `CellChoice.require`
   */
  async create(
    actor: ActingCaller,
    environmentId: EnvironmentId,
    desired: DeploymentRequest,
    insertMore: InsertMore = async () => undefined,
  ): Promise<Written<AcceptedView>> {
    const request = this.withPossibleName(desired);
    // From the lock on, the other creations of the tenant wait until the commit.
    const [tenantQuota, [candidate, reserved, environment, namesake]] = await this.quota.locked(actor.tenantId, () =>
      pipelined([
        this.cells.find(request),
        this.deployments.reserveIds(request.quote.nodes),
        this.environments.findForShare(actor.tenantId, actor.division.id, environmentId),
        this.deployments.findIdByName(actor.tenantId, environmentId, request.name),
      ]),
    );
    requirePaymentFor(tenantQuota.entitlements, request);
    requireEntitled(tenantQuota.entitlements, request);
    if (!environment) throw new DomainError('environment_not_found', 'No such environment.');
    requireNoNamesake(actor, environmentId, request.name, namesake);
    await this.quota.require(actor.tenantId, tenantQuota, request);
    const cell = await this.cells.require(actor, tenantQuota.entitlements, request, candidate);
    return this.insert(actor, environment, request, { cell, reserved, insertMore });
  }

  private async insert(
    actor: ActingCaller,
    environment: Named<EnvironmentId>,
    request: DeploymentRequest,
    {
      cell,
      reserved: { id, node_ids: nodeIds },
      insertMore,
    }: { cell: Cell; reserved: ReservedIds; insertMore: InsertMore },
  ): Promise<Written<AcceptedView>> {
    // With a million deployments, one creation of a million draws a used code and is refused with a retryable error.
    const code = newDeploymentCode();
    const nodes = this.initialRows.nodes(nodeIds, request, cell);
    const [, , operation] = await pipelined([
      this.deployments.insert({
        id,
        code,
        tenant_id: actor.tenantId,
        division_id: actor.division.id,
        environment_id: environment.id,
        cell: cell.cell,
        features: featuresOf(cell, request.shape.cloud),
        author_id: actor.caller.user.id,
        ...requestColumns(request),
      }),
      this.initialRows.insert(id, request, { cell, nodes, authorId: actor.caller.user.id }),
      this.start(actor, environment.id, id, cell, request),
      insertMore(id),
      this.record(actor, environment, request, { id, code, nodes }),
    ]);
    const body = { environment_id: environment.id, deployment_id: id, operation_id: operation };
    return new Written(body, { environment: environment.id, deployment: id, operation });
  }

  private async record(
    actor: ActingCaller,
    environment: Named<EnvironmentId>,
    request: DeploymentRequest,
    { id, code, nodes }: { id: DeploymentId; code: string; nodes: NewNode[] },
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

  private start(
    actor: ActingCaller,
    environmentId: EnvironmentId,
    id: DeploymentId,
    cell: Cell,
    { restoreFrom }: DeploymentRequest,
  ): Promise<OperationId> {
    return this.operations.start({
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
  }
}

/** @throws DomainError name_taken, with the id of the namesake if the caller may read it */
function requireNoNamesake(
  actor: ActingCaller,
  environmentId: EnvironmentId,
  name: string,
  id: DeploymentId | null,
): void {
  const scope = { divisionId: actor.division.id, environmentId };
  const isReadable = (): boolean => findGrant(actor.caller.holding, 'deployment:read', scope) !== null;
  requireFreeName('deployment', name, { id, isReadable });
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
