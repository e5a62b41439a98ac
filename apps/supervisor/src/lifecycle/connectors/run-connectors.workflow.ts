import { Injectable } from '@nestjs/common';
import type { ConnectorsMemo, NodeSpec } from '@libs/domain';
import { Database, Secrets } from '@libs/persistence';
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
 * Lets connectors run, or stops them, by what the nodes are to do from now on, and waits until the nodes say that they do.
 * Nothing is taken back when a connector fails: that one has failed, and the others go on.
 */
@Injectable()
export class RunConnectors implements Workflow, StepsOf<typeof RUN_CONNECTORS, StepContext> {
  readonly type = 'run_connectors';
  readonly table = RUN_CONNECTORS;
  readonly steps: Workflow['steps'];
  private readonly nodes: NodesRepository;
  private readonly documents: NodeDocumentsRepository;
  private readonly instances: ConnectorInstancesRepository;
  private readonly activities: ActivitiesRepository;

  constructor(
    database: Database,
    secrets: Secrets,
    private readonly resources: DeploymentResources,
    private readonly ledger: DeploymentLedger,
  ) {
    this.steps = this as unknown as Workflow['steps'];
    this.nodes = new NodesRepository(database);
    this.documents = new NodeDocumentsRepository(database, secrets);
    this.instances = new ConnectorInstancesRepository(database);
    this.activities = new ActivitiesRepository(database);
  }

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
    return done({ write: () => this.settle(operation, nodes) });
  }

  /** Whoever did as its document says has done so; the others, and what they were to run, have failed. */
  async failed(operation: OperationRow, failure: Failure): Promise<void> {
    const id = deploymentOf(operation);
    const { instance_id: instance } = memoOf(operation);
    const behind = await this.documents.nodesBehind(id);
    const nodes = await this.nodesOf(operation);
    for (const node of nodes.filter((one) => !runsConnectors(one) && !behind.includes(one.id)))
      await this.activities.complete(operation.id, node.id);
    await this.activities.reject(operation.id, { nodeIds: [], error: failure.reason }, failure.reason);
    await this.instances.fail(id, instance, failure.reason);
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
   * Connectors that are not yet as the document of their node wants them.
   * @throws StepImpossible with the words of one that cannot be
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

  /** One that was deleted meanwhile holds nobody up. */
  private async concerned(operation: OperationRow): Promise<ConnectorInstanceRow[]> {
    const { instance_id: only } = memoOf(operation);
    const all = await this.instances.list(deploymentOf(operation));
    return all.filter(({ id }) => only === null || id === only);
  }

  private async nodesOf(operation: OperationRow): Promise<NodeRow[]> {
    const { nodes } = memoOf(operation);
    return (await this.nodes.list(deploymentOf(operation))).filter(({ id }) => nodes.includes(id));
  }

  private async settle(operation: OperationRow, nodes: NodeRow[]): Promise<void> {
    for (const { id } of nodes) await this.activities.complete(operation.id, id);
    await this.activities.reject(operation.id, { nodeIds: [], error: '' }, 'the node is gone');
  }
}

const memoOf = (operation: OperationRow): ConnectorsMemo => operation.memo as unknown as ConnectorsMemo;

/** Whether what the node said is about the configuration that the instance is to run by. */
const isHeard = (instance: ConnectorInstanceRow): boolean => instance.reported_config_id === instance.config_id;

/** While the broker is stopped by a user, connectors wait for it: that is all that they can do. */
function isAsWanted(instance: ConnectorInstanceRow, { broker, connectors }: NodeSpec): boolean {
  const wanted = connectors?.instances.find(({ instance_id }) => instance_id === instance.id);
  const isToRun = connectors?.want === 'running' && wanted?.config.values.enabled === true;
  if (!isHeard(instance)) return false;
  if (isToRun && broker.want === 'stopped' && instance.reported_status === 'starting') return true;
  return instance.reported_status === (isToRun ? 'running' : 'stopped');
}

const exitReason = ({ key, reported_error }: ConnectorInstanceRow): string =>
  `${key}: ${reported_error ?? 'it failed without a word'}`;
