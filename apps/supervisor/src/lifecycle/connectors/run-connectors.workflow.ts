import { Injectable } from '@nestjs/common';
import type { ConnectorsMemo, NodeSpec } from '@libs/domain';
import { Database } from '@libs/persistence';
import {
  ActivitiesRepository,
  ConnectorInstancesRepository,
  NodeDocumentsRepository,
  NodesRepository,
  runsConnectors,
  type ConnectorInstanceRow,
  type NodeRow,
} from '@libs/persistence/runtime';
import {
  done,
  hop,
  nap,
  Operations,
  stepTable,
  StepImpossible,
  type Failure,
  type OperationRow,
  type StepContext,
  type StepsOf,
  type Workflow,
} from '@libs/workflow';
import { DeploymentLedger } from '../deployment-ledger.js';
import { DeploymentResources } from '../deployment-resources.js';
import { deploymentOf } from '../subject.js';

export const RUN_CONNECTORS = stepTable({
  applying_connectors: { to: ['waiting_for_nodes'], deadline: '1m', giveUpAfter: '5m' },
  waiting_for_nodes: { to: [], deadline: '1m', giveUpAfter: '90s' },
});

/**
 * Starts or stops connectors through the documents of the nodes, and waits until the nodes report the result. A failed
 * connector reverts nothing: it is failed, and the others continue.
 */
@Injectable()
export class RunConnectors implements Workflow, StepsOf<typeof RUN_CONNECTORS, StepContext> {
  readonly type = 'run_connectors';
  readonly table = RUN_CONNECTORS;
  readonly steps = this as unknown as Workflow['steps'];

  constructor(
    private readonly nodes: NodesRepository,
    private readonly documents: NodeDocumentsRepository,
    private readonly instances: ConnectorInstancesRepository,
    private readonly activities: ActivitiesRepository,
    private readonly resources: DeploymentResources,
    private readonly ledger: DeploymentLedger,
    private readonly operations: Operations,
    private readonly database: Database,
  ) {}

  async applying_connectors({ operation }: StepContext) {
    const nodes = await this.nodesOf(operation);
    return hop('waiting_for_nodes', { write: () => this.apply(operation, nodes) });
  }

  async waiting_for_nodes({ operation }: StepContext) {
    const nodes = await this.nodesOf(operation);
    const behind = await this.documents.nodesBehind(deploymentOf(operation));
    const late = nodes.filter(({ id }) => behind.includes(id));
    if (late.length > 0) return nap('1s', `waits for ${late.map(({ name }) => name).join(', ')}`);
    const starting = await this.starting(operation, nodes);
    if (starting.length > 0) return nap('1s', `waits for ${starting.map(({ key }) => key).join(', ')}`);
    if (await this.database.transaction(() => this.applyJoined(operation, nodes)))
      return nap('1s', 'applies the configurations that were saved meanwhile');
    return done({ write: () => this.settle(operation, nodes) });
  }

  /**
   * Nodes that applied their document have completed their activity. The others, and the connectors that they should
   * run, have failed.
   */
  async failed(operation: OperationRow, failure: Failure): Promise<void> {
    const id = deploymentOf(operation);
    const { instance_id: instance } = memoOf(operation);
    const behind = await this.documents.nodesBehind(id);
    const nodes = await this.nodesOf(operation);
    for (const node of nodes.filter((one) => !runsConnectors(one) && !behind.includes(one.id)))
      await this.activities.complete(operation.id, node.id);
    await this.activities.reject(operation.id, { nodeIds: [], error: failure.reason }, failure.reason);
    await this.instances.fail(id, instance, failure.reason);
    // Who joined was promised that the configuration is applied. The nodes take it with their document, whenever they are back.
    await this.applyJoined(operation, nodes);
    await this.ledger.failed(operation, await this.resources.facts(id), failure);
  }

  private async apply(operation: OperationRow, nodes: NodeRow[]): Promise<void> {
    const id = deploymentOf(operation);
    const { action, config_id: configId } = memoOf(operation);
    if (action === 'reconfigure' && nodes.some(runsConnectors)) await this.instances.apply(id, configId);
    for (const node of nodes) {
      if (action === 'start' || action === 'stop' || action === 'restart')
        await this.nodes.wantConnectors(node.id, action);
    }
    await this.documents.publishAll(id, operation.trace_id);
  }

  /**
   * Returns the connectors that do not have the state in the document of their node yet.
   * @throws StepImpossible with the error of a failed connector
   */
  private async starting(operation: OperationRow, nodes: NodeRow[]): Promise<ConnectorInstanceRow[]> {
    const runner = nodes.find(runsConnectors);
    const spec = runner ? (await this.documents.find(runner.id))?.spec : undefined;
    if (!spec?.connectors) return [];
    const instances = await this.concerned(operation);
    const failed = instances.filter((instance) => isHeard(instance) && instance.reported_status === 'failed');
    if (failed.length > 0) throw new StepImpossible(failed.map(exitReason).join('; '));
    return instances.filter((instance) => !isAsWanted(instance, spec));
  }

  /** Returns the instances of the operation. An instance that was deleted during the operation is not waited for. */
  private async concerned(operation: OperationRow): Promise<ConnectorInstanceRow[]> {
    const { instance_id: only } = memoOf(operation);
    const all = await this.instances.list(deploymentOf(operation));
    return all.filter(({ id }) => only === null || id === only);
  }

  private async nodesOf(operation: OperationRow): Promise<NodeRow[]> {
    const { nodes } = memoOf(operation);
    return (await this.nodes.list(deploymentOf(operation))).filter(({ id }) => nodes.includes(id));
  }

  /** Applies the active configuration of every instance, if requests joined. Returns whether a node has something to do for them. */
  private async applyJoined(operation: OperationRow, nodes: NodeRow[]): Promise<boolean> {
    const id = deploymentOf(operation);
    if (!nodes.some(runsConnectors) || (await this.operations.joins(id, operation.id)) === 0) return false;
    if ((await this.instances.apply(id, null)) === 0) return false;
    await this.documents.publishAll(id, operation.trace_id);
    return true;
  }

  /** The operation is ended in this transaction, so nobody joins it any more. For a request that joined meanwhile the step runs again. */
  private async settle(operation: OperationRow, nodes: NodeRow[]): Promise<void> {
    if (await this.applyJoined(operation, nodes)) throw new JoinedMeanwhile('a request joined the operation meanwhile');
    for (const { id } of nodes) await this.activities.complete(operation.id, id);
    await this.activities.reject(operation.id, { nodeIds: [], error: '' }, 'the node no longer exists');
  }
}

/** A request joined between the last look of the step and its end. The runner runs the step again. */
class JoinedMeanwhile extends Error {}

const memoOf = (operation: OperationRow): ConnectorsMemo => operation.memo as unknown as ConnectorsMemo;

/** Whether the node's report is about the instance's current configuration. */
const isHeard = (instance: ConnectorInstanceRow): boolean => instance.reported_config_id === instance.config_id;

/** Connectors wait for a broker that a user has stopped. The operation accepts this as their final state. */
function isAsWanted(instance: ConnectorInstanceRow, { broker, connectors }: NodeSpec): boolean {
  const wanted = connectors?.instances.find(({ instance_id }) => instance_id === instance.id);
  const isToRun = connectors?.want === 'running' && wanted?.config.values.enabled === true;
  if (!isHeard(instance)) return false;
  if (isToRun && broker.want === 'stopped' && instance.reported_status === 'starting') return true;
  return instance.reported_status === (isToRun ? 'running' : 'stopped');
}

const exitReason = ({ key, reported_error }: ConnectorInstanceRow): string =>
  `${key}: ${reported_error ?? 'the connector failed and gave no reason'}`;
