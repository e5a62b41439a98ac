import { Injectable } from '@nestjs/common';
import type { ActivityMemo } from '@libs/domain';
import { Database, Secrets } from '@libs/persistence';
import {
  ActivitiesRepository,
  NodeDocumentsRepository,
  NodesRepository,
  RuntimesRepository,
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
import { lastError, restartsOf, whyRefused } from './broker-words.js';
import { DeploymentLedger } from './deployment-ledger.js';
import { DeploymentResources } from './deployment-resources.js';
import { deploymentOf } from './subject.js';

export const RUN_ACTIVITY = stepTable({
  changing_node: { to: ['waiting_for_node', 'settling'], deadline: '1m', giveUpAfter: '5m' },
  waiting_for_node: { to: ['changing_node'], deadline: '1m', giveUpAfter: '40s', undoneBy: 'restoring_node' },
  settling: { to: [] },
  restoring_node: { to: [], deadline: '2m', isUndo: true },
});

/** What the nodes that were not reached are told. */
const SPARED = 'not begun: it failed on another node';

/**
 * Starts, stops, restarts or reconfigures the brokers of nodes, one after the other: the next has its turn when the one
 * before is as it should be, and all that served before serve again. A node that does not take its new configuration gets
 * the old one again; the nodes behind it are never touched.
 */
@Injectable()
export class RunActivity implements Workflow, StepsOf<typeof RUN_ACTIVITY, StepContext> {
  readonly type = 'run_activity';
  readonly table = RUN_ACTIVITY;
  readonly steps: Workflow['steps'];
  private readonly nodes: NodesRepository;
  private readonly documents: NodeDocumentsRepository;
  private readonly activities: ActivitiesRepository;
  private readonly runtimes: RuntimesRepository;

  constructor(
    database: Database,
    secrets: Secrets,
    private readonly resources: DeploymentResources,
    private readonly ledger: DeploymentLedger,
  ) {
    this.steps = this as unknown as Workflow['steps'];
    this.nodes = new NodesRepository(database);
    this.documents = new NodeDocumentsRepository(database, secrets);
    this.activities = new ActivitiesRepository(database);
    this.runtimes = new RuntimesRepository(database);
  }

  async changing_node({ operation }: StepContext) {
    const all = await this.nodes.list(deploymentOf(operation));
    const id = memoOf(operation).nodes[indexOf(operation)];
    const node = all.find((one) => one.id === id);
    if (id === undefined || !node) return hop('settling');
    const healthy = all.filter(({ status }) => status === 'running').map((one) => one.id);
    const before = { node_id: id, config_id: node.configId, error: lastError(node), restarts: restartsOf(node) };
    return hop('waiting_for_node', { memo: { before, healthy }, write: () => this.change(operation, node) });
  }

  async waiting_for_node({ operation, signal }: StepContext) {
    const all = await this.nodes.list(deploymentOf(operation));
    const { nodes, before } = memoOf(operation);
    const current = all.find(({ id }) => id === nodes[indexOf(operation)]);
    const awaited = all.filter((node) => node === current || isToServeAgain(operation, node));
    const away: NodeRow[] = [];
    for (const node of awaited) if (!(await this.documents.serves(node.id))) away.push(node);
    if (away.length === 0) return hop('changing_node', this.passOn(operation, current));
    const refusal = current && before && (await this.isBehind(current)) ? whyRefused(current, before) : null;
    if (refusal !== null) throw new StepImpossible(refusal);
    const facts = await this.resources.facts(deploymentOf(operation));
    await this.resources.ensureNodes(facts, all, signal);
    return nap('500ms', `waits for ${away.map(({ name }) => name).join(', ')}`);
  }

  async settling({ operation }: StepContext) {
    return done({ write: () => this.settle(operation) });
  }

  async restoring_node({ operation, signal }: StepContext) {
    if (!isReconfigured(operation)) return done();
    const all = await this.nodes.list(deploymentOf(operation));
    const node = all.find(({ id }) => id === memoOf(operation).nodes[indexOf(operation)]);
    if (!node || (await this.documents.serves(node.id))) return done();
    await this.resources.ensureNodes(await this.resources.facts(node.deploymentId), all, signal);
    return nap('500ms', `${node.name} takes its old configuration`);
  }

  /** The old configuration, in the transaction that begins to undo: whoever lost the lease gives the node no other. */
  async undoing(operation: OperationRow, { reason }: Failure): Promise<void> {
    const { nodes, before } = memoOf(operation);
    const id = nodes[indexOf(operation)] ?? null;
    await this.activities.reject(operation.id, { nodeId: id, error: reason }, SPARED);
    if (id === null || before?.node_id !== id || before.config_id === null || !isReconfigured(operation)) return;
    await this.nodes.applyConfig(id, before.config_id);
    await this.documents.publish(id, operation.trace_id);
  }

  /** What nodes do by themselves they go on doing: that is no failed deployment, but a failed operation. */
  async failed(operation: OperationRow, failure: Failure): Promise<void> {
    await this.activities.reject(operation.id, { nodeId: null, error: failure.reason }, failure.reason);
    await this.settleStatus(operation);
    await this.ledger.failed(operation, await this.resources.facts(deploymentOf(operation)), failure);
  }

  private async change(operation: OperationRow, node: NodeRow): Promise<void> {
    const { action, config_id: configId } = memoOf(operation);
    if (action !== 'reconfigure') await this.nodes.want(node.id, action);
    else if (configId !== null) await this.nodes.applyConfig(node.id, configId);
    // A document says `stopped` while the deployment is: before its first broker is to run, it no longer is.
    if (action === 'start' || action === 'restart') await this.runtimes.move(node.deploymentId, 'initialized');
    await this.documents.publish(node.id, operation.trace_id);
  }

  private passOn(operation: OperationRow, node: NodeRow | undefined) {
    return {
      memo: { node_index: indexOf(operation) + 1 },
      write: async () => {
        if (node) await this.activities.complete(operation.id, node.id);
      },
    };
  }

  private async isBehind({ id, observedGeneration }: NodeRow): Promise<boolean> {
    return observedGeneration < ((await this.documents.find(id))?.generation ?? 0);
  }

  private async settle(operation: OperationRow): Promise<void> {
    await this.activities.reject(operation.id, { nodeId: null, error: '' }, 'the node is gone');
    await this.settleStatus(operation);
  }

  /** A deployment is stopped when a user stopped every node of it. */
  private async settleStatus(operation: OperationRow): Promise<void> {
    const id = deploymentOf(operation);
    const nodes = await this.nodes.list(id);
    if (nodes.length > 0 && nodes.every(({ stoppedAt }) => stoppedAt !== null)) await this.runtimes.move(id, 'stopped');
  }
}

type Memo = ActivityMemo & {
  before?: { node_id: number; config_id: number | null; error: string | null; restarts: number };
  /** Nodes that served when the current one had its turn. */
  healthy?: number[];
};

const memoOf = (operation: OperationRow): Memo => operation.memo as unknown as Memo;
/** What is stopped may take others along: nobody waits for them. */
const isToServeAgain = (operation: OperationRow, { id }: NodeRow): boolean =>
  memoOf(operation).action !== 'stop' && (memoOf(operation).healthy ?? []).includes(id);
const indexOf = (operation: OperationRow): number => Number(operation.memo['node_index'] ?? 0);
const isReconfigured = (operation: OperationRow): boolean => memoOf(operation).action === 'reconfigure';
