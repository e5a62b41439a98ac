import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { NEW_CONNECTOR, connectorPlugin, type ConnectorPlugin } from '@libs/broker-config';
import {
  DomainError,
  findGrant,
  type ConnectorsMemo,
  type DeploymentStatus,
  Written,
  type OperationId,
} from '@libs/domain';
import { type ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import { DeploymentsRepository, type DeploymentRow } from '@libs/persistence/organization';
import {
  ConfigVersionsRepository,
  ConnectorInitialRowsRepository,
  ConnectorInstancesRepository,
  NodesRepository,
  type ConnectorInstanceRow,
} from '@libs/persistence/runtime';
import { Operations } from '@libs/workflow';
import { TenantEntitlements } from '../tenants/index.js';
import { requirePermitted } from './connector-plans.js';
import type { ActivateConnectorDto } from './dto/activate-connector.dto.js';
import type { ConnectorInstanceView } from './dto/connector.view.js';

/** Connectors exclude only work on connectors, not operations that change the nodes. */
const FIT: readonly DeploymentStatus[] = ['initialized', 'degraded', 'stopped', 'upgrading'];
/** A limit, because one document contains all instances of a node. */
const MOST_INSTANCES = 50;

/** Activates connectors. The instance exists at once, and its operation waits until the nodes have applied it. */
@Injectable()
export class ConnectorActivation {
  constructor(
    private readonly deployments: DeploymentsRepository,
    private readonly configs: ConfigVersionsRepository,
    private readonly instances: ConnectorInstancesRepository,
    private readonly initialRows: ConnectorInitialRowsRepository,
    private readonly nodes: NodesRepository,
    private readonly entitlements: TenantEntitlements,
    private readonly operations: Operations,
    private readonly ledger: Ledger,
  ) {}

  /**
   * Refuses in the order of C-18.5: missing resources, features that the plan lacks, conflicts with the current state.
   * @throws DomainError deployment_not_found, connector_not_found, plan_feature_required, connector_unavailable,
   * state_conflict, name_taken
   */
  async activate(actor: ActingCaller, dto: ActivateConnectorDto): Promise<Written<ConnectorInstanceView>> {
    const row = await this.deployments.findForUpdate(actor.tenantId, actor.environment.id, actor.deployment.id);
    if (!row) throw new DomainError('deployment_not_found', 'No such deployment.');
    const plugin = await this.plugin(row, dto);
    requirePermitted(await this.entitlements.of(actor.tenantId), plugin);
    if (!plugin.available)
      throw new DomainError(
        'connector_unavailable',
        `The nodes of this deployment do not have the connector ${plugin.name}. ${plugin.unavailableReason}`,
      );
    await this.requireFit(row);
    const instance = await this.insert(actor, plugin, dto);
    const operation = await this.start(actor, row, instance);
    const { config_id: configId } = instance;
    await this.initialRows.insertTask({
      deploymentId: row.id,
      operationId: operation,
      configId,
      authorId: actor.author.user.id,
    });
    await this.record(actor, instance);
    return new Written(toView(instance), { deployment: row.id, 'connector-instance': instance.id, operation });
  }

  private async plugin({ id }: DeploymentRow, dto: ActivateConnectorDto): Promise<ConnectorPlugin> {
    const { connector_type: type, connector_key: key } = dto;
    const broker = await this.configs.broker(id);
    if (!broker) throw new DomainError('deployment_not_found', 'The deployment no longer has nodes.');
    const plugin = connectorPlugin(broker, type, key);
    if (!plugin) throw new DomainError('connector_not_found', `The catalogue has no connector ${type}:${key}.`);
    return plugin;
  }

  private async requireFit({ id, status, deletion_requested_at: deletionRequestedAt }: DeploymentRow): Promise<void> {
    if (deletionRequestedAt !== null) throw await this.operations.conflict(id);
    if (FIT.includes(status)) return;
    throw new DomainError(
      'state_conflict',
      `The deployment is \`${status}\`. This request needs status ${FIT.join(' or ')}.`,
      {
        members: { state: status },
      },
    );
  }

  private async insert(
    actor: ActingCaller,
    plugin: ConnectorPlugin,
    { instance_key: instanceKey, instance_name: name }: ActivateConnectorDto,
  ): Promise<ConnectorInstanceRow> {
    const { id } = actor.deployment;
    const instances = await this.instances.list(id);
    if (instances.length >= MOST_INSTANCES)
      throw new DomainError(
        'state_conflict',
        `The deployment has ${MOST_INSTANCES} connectors, the maximum. Delete one first.`,
        {
          members: { state: 'full' },
        },
      );
    const key = instanceKey ?? `${plugin.key}_${randomBytes(4).toString('hex')}`;
    requireFree(actor, instances, key);
    return this.initialRows.insert(id, {
      type: plugin.type,
      plugin: plugin.key,
      pluginVersion: plugin.version,
      key,
      name: name ?? plugin.name,
      authorId: actor.author.user.id,
      values: NEW_CONNECTOR,
    });
  }

  private async start(actor: ActingCaller, row: DeploymentRow, instance: ConnectorInstanceRow): Promise<OperationId> {
    const nodes = (await this.nodes.list(row.id)).map(({ id }) => id);
    const memo: ConnectorsMemo = { action: 'activate', config_id: null, instance_id: instance.id, nodes };
    return this.operations.start({
      type: 'run_connectors',
      cell: row.cell,
      tenantId: actor.tenantId,
      divisionId: row.division_id,
      environmentId: row.environment_id,
      deploymentId: row.id,
      authorId: actor.caller.user.id,
      apiKeyId: actor.caller.key?.id ?? null,
      traceId: actor.traceId,
      memo: { ...memo },
    });
  }

  private async record({ author, context, traceId }: ActingCaller, instance: ConnectorInstanceRow): Promise<void> {
    const data = {
      connector_type: instance.type,
      connector_key: instance.plugin,
      instance_key: instance.key,
      instance_id: instance.id,
      version: instance.plugin_version,
    };
    await this.ledger.record({ audit: 'connector_activated', author, context, data, traceId });
  }
}

function requireFree(actor: ActingCaller, instances: readonly ConnectorInstanceRow[], key: string): void {
  const namesake = instances.find((instance) => instance.key === key);
  if (!namesake) return;
  const scope = { divisionId: actor.division.id, environmentId: actor.environment.id };
  const isReadable = findGrant(actor.caller.holding, 'deployment:connector:read', scope) !== null;
  throw new DomainError('name_taken', `Another instance has the key ${key}.`, {
    members: isReadable ? { id: namesake.id } : {},
  });
}

const toView = (row: ConnectorInstanceRow): ConnectorInstanceView => ({
  id: row.id,
  deployment_id: row.deployment_id,
  connector_type: row.type,
  connector_key: row.plugin,
  name: row.name,
  key: row.key,
  status: row.status,
  config_id: row.config_id,
});
