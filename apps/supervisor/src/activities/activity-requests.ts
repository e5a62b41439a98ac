import { Injectable } from '@nestjs/common';
import {
  DomainError,
  validationFailed,
  type ActivityMemo,
  type ConnectorsMemo,
  type DeploymentStatus,
  type NodeRuntime,
  type ConfigId,
  type DeploymentId,
  type NodeId,
  type OperationId,
  type ConnectorInstanceId,
} from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import {
  ActivitiesRepository,
  ConfigsRepository,
  connectorKind,
  ConnectorInstancesRepository,
  NodesRepository,
  RuntimesRepository,
} from '@libs/persistence/runtime';
import { DeploymentOperations, lockDeployment } from '../platform/index.js';
import type { RequestedAction } from './read-action.js';

const FIT: readonly DeploymentStatus[] = ['initialized', 'degraded', 'stopped'];
/** Connectors exclude only work on connectors, not operations that change the nodes. */
const FIT_FOR_CONNECTORS: readonly DeploymentStatus[] = [...FIT, 'upgrading'];

/** Opens the operation of an activity, with one activity for each of its nodes. */
@Injectable()
export class ActivityRequests {
  constructor(
    private readonly runtimes: RuntimesRepository,
    private readonly nodes: NodesRepository,
    private readonly configs: ConfigsRepository,
    private readonly instances: ConnectorInstancesRepository,
    private readonly activities: ActivitiesRepository,
    private readonly operations: DeploymentOperations,
  ) {}

  /** Returns the id of the operation. @throws DomainError validation_failed, config_not_found, state_conflict */
  async start(actor: ActingCaller, action: RequestedAction, nodeIds?: NodeId[]): Promise<OperationId> {
    const { id } = actor.deployment;
    // Locks the deployment, so that no request deletes the configuration before the operation exists.
    await lockDeployment(this.runtimes, id);
    return this.open(actor, action, nodeIds);
  }

  /**
   * Applies the active configuration on every node. Returns the id of the operation and the configuration: null for
   * connectors, because each connector has its own.
   * @throws DomainError state_conflict
   */
  async applyPrimary(
    actor: ActingCaller,
    runtime: NodeRuntime,
  ): Promise<{ operation: OperationId; configId: ConfigId | null }> {
    await lockDeployment(this.runtimes, actor.deployment.id);
    const all = await this.configs.list(actor.deployment.id);
    const configId = all.find(({ kind, primary }) => kind === runtime && primary)?.id ?? null;
    const running = await this.joinReconfiguration(actor.deployment.id, runtime, configId);
    const operation = running ?? (await this.start(actor, { runtime, verb: 'reconfigure', configId }));
    return { operation, configId };
  }

  /** A configuration that is saved during the activation of its instance is applied by the activation, before it ends. */
  private joinActivation(id: DeploymentId, instanceId: ConnectorInstanceId): Promise<OperationId | null> {
    return this.operations.join(id, 'run_connectors', { actions: ['activate'], instanceId });
  }

  /** An operation that configures the same nodes with the same configuration does the work of another task, too. */
  private async joinReconfiguration(
    id: DeploymentId,
    runtime: NodeRuntime,
    configId: ConfigId | null,
  ): Promise<OperationId | null> {
    if (runtime === 'connectors')
      return this.operations.join(id, 'run_connectors', { actions: ['activate', 'reconfigure'], instanceId: null });
    const nodes = (await this.nodes.list(id)).map((node) => node.id);
    return this.operations.findSame(id, {
      type: 'run_activity',
      memo: { action: 'reconfigure', config_id: configId, nodes },
    });
  }

  private async open(actor: ActingCaller, action: RequestedAction, nodeIds?: NodeId[]): Promise<OperationId> {
    const { runtime, verb, configId } = action;
    const { id } = actor.deployment;
    if (runtime === 'broker' && configId !== null) await this.requireConfig(id, configId);
    const instance = runtime === 'connectors' ? await this.requireInstance(id, configId) : null;
    const activation = instance === null ? null : await this.joinActivation(id, instance);
    if (activation !== null) return activation;
    const nodes = await this.chosen(id, nodeIds);
    const operation =
      runtime === 'broker'
        ? await this.startBrokers(actor, { runtime, action: verb, config_id: configId, nodes })
        : await this.startConnectors(actor, { action: verb, config_id: configId, instance_id: instance, nodes });
    await this.record(actor, action, operation, nodes);
    return operation;
  }

  private startBrokers(actor: ActingCaller, memo: ActivityMemo): Promise<OperationId> {
    return this.operations.start(actor, 'run_activity', FIT, { ...memo });
  }

  private startConnectors(actor: ActingCaller, memo: ConnectorsMemo): Promise<OperationId> {
    return this.operations.start(actor, 'run_connectors', FIT_FOR_CONNECTORS, { ...memo });
  }

  private async record(
    actor: ActingCaller,
    { runtime, verb, configId }: RequestedAction,
    operationId: OperationId,
    nodeIds: NodeId[],
  ): Promise<void> {
    await this.activities.insert({
      operationId,
      tenantId: actor.tenantId,
      divisionId: actor.division.id,
      environmentId: actor.environment.id,
      deploymentId: actor.deployment.id,
      authorId: actor.author.user.id,
      runtime,
      action: configId === null ? verb : `${verb}:${configId}`,
      nodeIds,
    });
  }

  private async requireConfig(deploymentId: DeploymentId, configId: ConfigId): Promise<void> {
    const config = (await this.configs.list(deploymentId)).find(({ id, kind }) => id === configId && kind === 'broker');
    if (!config) throw new DomainError('config_not_found', 'The deployment has no such configuration of its broker.');
  }

  /** Returns the instance of the configuration; null without a configuration. */
  private async requireInstance(
    deploymentId: DeploymentId,
    configId: ConfigId | null,
  ): Promise<ConnectorInstanceId | null> {
    const instances = await this.instances.list(deploymentId);
    if (instances.length === 0) throw noConnectors();
    if (configId === null) return null;
    const config = (await this.configs.list(deploymentId)).find(({ id }) => id === configId);
    const owner = instances.find(
      ({ type, plugin, key }) => config?.kind === connectorKind(type, plugin) && config.name === key,
    );
    if (!owner) throw new DomainError('config_not_found', 'The deployment has no such configuration of a connector.');
    return owner.id;
  }

  /** Returns the nodes in the order of work. */
  private async chosen(deploymentId: DeploymentId, nodeIds: NodeId[] | undefined): Promise<NodeId[]> {
    const all = (await this.nodes.list(deploymentId)).map(({ id }) => id);
    if (nodeIds === undefined) return all;
    const issues = nodeIds.flatMap((id, index) =>
      all.includes(id)
        ? []
        : [{ path: `/nodes/${index}`, code: 'unknown_node', reason: 'is not a node of the deployment' }],
    );
    if (issues.length > 0) throw validationFailed(issues);
    return all.filter((id) => nodeIds.includes(id));
  }
}

const noConnectors = (): DomainError =>
  new DomainError('state_conflict', 'No connector is activated on this deployment.', {
    members: { state: 'inactive' },
  });
