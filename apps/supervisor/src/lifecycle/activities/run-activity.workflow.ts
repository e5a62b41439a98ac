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
import { lastError, restartsOf, whyRefused } from '../broker-words.js';
import { DeploymentLedger } from '../deployment-ledger.js';
import { DeploymentResources } from '../deployment-resources.js';
import { deploymentOf } from '../subject.js';

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
    const turns = memoOf(operation).turns ?? turnsOf(memoOf(operation), all);
    if (indexOf(operation) >= turns.length) return hop('settling');
    const turn = all.filter(({ id }) => turns[indexOf(operation)]?.includes(id));
    const healthy = all.filter(({ status }) => status === 'running').map(({ id }) => id);
    return hop('waiting_for_node', {
      memo: { turns, healthy, before: turn.map(stateOf) },
      write: () => this.change(operation, turn),
    });
  }

  async waiting_for_node({ operation, signal }: StepContext) {
    const all = await this.nodes.list(deploymentOf(operation));
    const away = await this.away(operation, all);
    if (away.length === 0) return hop('changing_node', this.passOn(operation, turnOf(operation, all)));
    requireWilling(operation, away, await this.documents.nodesBehind(deploymentOf(operation)));
    await this.resources.ensureNodes(await this.resources.facts(deploymentOf(operation)), all, signal);
    return nap('500ms', `waits for ${away.map(({ name }) => name).join(', ')}`);
  }

  async settling({ operation }: StepContext) {
    return done({ write: () => this.settle(operation) });
  }

  async restoring_node({ operation, signal }: StepContext) {
    if (!isReconfigured(operation)) return done();
    const all = await this.nodes.list(deploymentOf(operation));
    const away = await this.away(operation, all);
    if (away.length === 0) return done();
    await this.resources.ensureNodes(await this.resources.facts(deploymentOf(operation)), all, signal);
    return nap('500ms', `waits for ${away.map(({ name }) => name).join(', ')} with the old configuration`);
  }

  /** The old configuration, in the transaction that begins to undo: whoever lost the lease gives the node no other. */
  async undoing(operation: OperationRow, { reason }: Failure): Promise<void> {
    const { turns = [], before = [] } = memoOf(operation);
    const turn = turns[indexOf(operation)] ?? [];
    await this.activities.reject(operation.id, { nodeIds: turn, error: reason }, SPARED);
    if (!isReconfigured(operation)) return;
    for (const { node_id: id, config_id: config } of before) {
      if (!turn.includes(id) || config === null) continue;
      await this.nodes.applyConfig(id, config);
      await this.documents.publish(id, operation.trace_id);
    }
  }

  /** What nodes do by themselves they go on doing: that is no failed deployment, but a failed operation. */
  async failed(operation: OperationRow, failure: Failure): Promise<void> {
    await this.activities.reject(operation.id, { nodeIds: [], error: failure.reason }, failure.reason);
    await this.settleStatus(operation);
    await this.ledger.failed(operation, await this.resources.facts(deploymentOf(operation)), failure);
  }

  private async change(operation: OperationRow, turn: NodeRow[]): Promise<void> {
    const { action, config_id: configId } = memoOf(operation);
    const id = deploymentOf(operation);
    // A document says `stopped` while the deployment is: before its first broker is to run, it no longer is. One that is
    // degraded stays so: a node that nobody hears of is not heard of by this.
    if (action === 'start' || action === 'restart') await this.runtimes.moveFrom(id, 'stopped', 'initialized');
    for (const node of turn) {
      if (action !== 'reconfigure') await this.nodes.want(node.id, action);
      else if (configId !== null) await this.nodes.applyConfig(node.id, configId);
      await this.documents.publish(node.id, operation.trace_id);
    }
  }

  /** Those of this turn that are not as they should be, and those that served before it and do not. */
  private async away(operation: OperationRow, all: NodeRow[]): Promise<NodeRow[]> {
    const turn = turnOf(operation, all);
    const serving = await this.documents.servingNodes(deploymentOf(operation));
    return all.filter((node) => (turn.includes(node) || isToServeAgain(operation, node)) && !serving.includes(node.id));
  }

  private passOn(operation: OperationRow, turn: NodeRow[]) {
    return {
      memo: { turn_index: indexOf(operation) + 1 },
      write: async () => {
        for (const { id } of turn) await this.activities.complete(operation.id, id);
      },
    };
  }

  private async settle(operation: OperationRow): Promise<void> {
    await this.activities.reject(operation.id, { nodeIds: [], error: '' }, 'the node is gone');
    await this.settleStatus(operation);
  }

  /** A deployment is stopped when a user stopped every node of it. */
  private async settleStatus(operation: OperationRow): Promise<void> {
    const id = deploymentOf(operation);
    const nodes = await this.nodes.list(id);
    if (nodes.length > 0 && nodes.every(({ stoppedAt }) => stoppedAt !== null)) await this.runtimes.move(id, 'stopped');
  }
}

/** A node before its turn. */
interface StateBefore {
  node_id: number;
  config_id: number | null;
  error: string | null;
  restarts: number;
}

type Memo = ActivityMemo & {
  /** Nodes that have their turn together, in order. */
  turns?: number[][];
  before?: StateBefore[];
  /** Nodes that served when the turn began. */
  healthy?: number[];
};

const memoOf = (operation: OperationRow): Memo => operation.memo as unknown as Memo;
const indexOf = (operation: OperationRow): number => Number(operation.memo['turn_index'] ?? 0);
const isReconfigured = (operation: OperationRow): boolean => memoOf(operation).action === 'reconfigure';

const turnOf = (operation: OperationRow, all: NodeRow[]): NodeRow[] =>
  all.filter(({ id }) => memoOf(operation).turns?.[indexOf(operation)]?.includes(id));

const stateOf = (node: NodeRow): StateBefore => ({
  node_id: node.id,
  config_id: node.configId,
  error: lastError(node),
  restarts: restartsOf(node),
});

/**
 * One after the other; but those that are to run and do not, all at once: nothing is taken away, and a cluster may need
 * several of its nodes before the first one serves.
 */
function turnsOf({ action, nodes }: ActivityMemo, all: NodeRow[]): number[][] {
  const isDown = (id: number): boolean => all.find((node) => node.id === id)?.status !== 'running';
  const together = action === 'start' || action === 'restart' ? nodes.filter(isDown) : [];
  const alone = nodes.filter((id) => !together.includes(id)).map((id) => [id]);
  return together.length > 0 ? [together, ...alone] : alone;
}

/**
 * `behind`: ids of nodes that have not taken up their newest document.
 * @throws StepImpossible with the words of a broker that will not do what its document says
 */
function requireWilling(operation: OperationRow, away: NodeRow[], behind: readonly number[]): void {
  for (const node of away) {
    const before = memoOf(operation).before?.find(({ node_id }) => node_id === node.id);
    const refusal = before && behind.includes(node.id) ? whyRefused(node, before) : null;
    if (refusal) throw new StepImpossible(refusal);
  }
}

/** What is stopped may take others along: nobody waits for them. */
const isToServeAgain = (operation: OperationRow, { id }: NodeRow): boolean =>
  memoOf(operation).action !== 'stop' && (memoOf(operation).healthy ?? []).includes(id);
