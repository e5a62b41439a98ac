import { Injectable } from '@nestjs/common';
import type { ActivityMemo, ConfigId, NodeId } from '@libs/domain';
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
import { lastError, restartsOf, whyRefused } from '../exit-reason.js';
import { DeploymentLedger } from '../deployment-ledger.js';
import { DeploymentResources } from '../deployment-resources.js';
import { deploymentOf } from '../subject.js';

export const RUN_ACTIVITY = stepTable({
  changing_node: { to: ['waiting_for_node', 'settling'], deadline: '1m', giveUpAfter: '5m' },
  waiting_for_node: { to: ['changing_node'], deadline: '1m', giveUpAfter: '40s', undoneBy: 'restoring_node' },
  settling: { to: [] },
  restoring_node: { to: [], deadline: '2m', isUndo: true },
});

/** The error of nodes that the operation did not reach. */
const SPARED = 'not started: the activity failed on another node';

/**
 * Starts, stops, restarts or reconfigures the brokers of nodes, one after the other. The next node changes when the one
 * before has the desired state and all nodes that served before serve again. A node that does not accept its new
 * configuration gets the old one again. The nodes after it are never changed.
 */
@Injectable()
export class RunActivity implements Workflow, StepsOf<typeof RUN_ACTIVITY, StepContext> {
  readonly type = 'run_activity';
  readonly table = RUN_ACTIVITY;
  readonly steps = this as unknown as Workflow['steps'];

  constructor(
    private readonly nodes: NodesRepository,
    private readonly documents: NodeDocumentsRepository,
    private readonly activities: ActivitiesRepository,
    private readonly runtimes: RuntimesRepository,
    private readonly resources: DeploymentResources,
    private readonly ledger: DeploymentLedger,
  ) {}

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

  /**
   * Publishes the old configuration in the transaction that starts the undo. So a worker that lost the lease cannot
   * publish another one.
   */
  async undoing(operation: OperationRow, { reason }: Failure): Promise<void> {
    const { turns = [], before = [] } = memoOf(operation);
    const turn = turns[indexOf(operation)] ?? [];
    await this.activities.reject(operation.id, { nodeIds: turn, error: reason }, SPARED);
    if (!isReconfigured(operation)) return;
    await this.ledger.configRolledBack(operation, await this.resources.facts(deploymentOf(operation)), reason);
    for (const { node_id: id, config_id: config } of before) {
      if (!turn.includes(id) || config === null) continue;
      await this.nodes.applyConfig(id, config);
      await this.documents.publish(id, operation.trace_id);
    }
  }

  /** The nodes continue to work, so the operation fails, but not the deployment. */
  async failed(operation: OperationRow, failure: Failure): Promise<void> {
    await this.activities.reject(operation.id, { nodeIds: [], error: failure.reason }, failure.reason);
    await this.settleStatus(operation);
    await this.ledger.failed(operation, await this.resources.facts(deploymentOf(operation)), failure);
  }

  private async change(operation: OperationRow, turn: NodeRow[]): Promise<void> {
    const { action, config_id: configId } = memoOf(operation);
    const id = deploymentOf(operation);
    // A document contains `stopped` while the deployment is stopped, so the status changes before its first broker
    // starts. A degraded deployment stays degraded: a restart does not repair a node that does not report.
    if (action === 'start' || action === 'restart') await this.runtimes.moveFrom(id, 'stopped', 'initialized');
    for (const node of turn) {
      if (action !== 'reconfigure') await this.nodes.want(node.id, action);
      else if (configId !== null) await this.nodes.applyConfig(node.id, configId);
      await this.documents.publish(node.id, operation.trace_id);
    }
  }

  /** Returns the nodes of this turn without the desired state, and the nodes that served before it and do not serve now. */
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
    await this.activities.reject(operation.id, { nodeIds: [], error: '' }, 'the node no longer exists');
    await this.settleStatus(operation);
  }

  /** A deployment is stopped when a user has stopped all its nodes. */
  private async settleStatus(operation: OperationRow): Promise<void> {
    const id = deploymentOf(operation);
    const nodes = await this.nodes.list(id);
    if (nodes.length > 0 && nodes.every(({ stopped_at: stoppedAt }) => stoppedAt !== null))
      await this.runtimes.move(id, 'stopped');
  }
}

/** The state of a node before its change. */
interface StateBefore {
  node_id: NodeId;
  config_id: ConfigId | null;
  error: string | null;
  restarts: number;
}

type Memo = ActivityMemo & {
  /** Groups of nodes that change together, in order. */
  turns?: NodeId[][];
  before?: StateBefore[];
  /** Nodes that served before the change of the current group. */
  healthy?: NodeId[];
};

const memoOf = (operation: OperationRow): Memo => operation.memo as unknown as Memo;
const indexOf = (operation: OperationRow): number => Number(operation.memo['turn_index'] ?? 0);
const isReconfigured = (operation: OperationRow): boolean => memoOf(operation).action === 'reconfigure';

const turnOf = (operation: OperationRow, all: NodeRow[]): NodeRow[] =>
  all.filter(({ id }) => memoOf(operation).turns?.[indexOf(operation)]?.includes(id));

const stateOf = (node: NodeRow): StateBefore => ({
  node_id: node.id,
  config_id: node.config_id,
  error: lastError(node),
  restarts: restartsOf(node),
});

/**
 * Nodes change one after the other. Nodes that should run and do not run change all at once: this interrupts no
 * service, and a cluster may need several nodes before the first one serves.
 */
function turnsOf({ action, nodes }: ActivityMemo, all: NodeRow[]): NodeId[][] {
  const isDown = (id: NodeId): boolean => all.find((node) => node.id === id)?.status !== 'running';
  const together = action === 'start' || action === 'restart' ? nodes.filter(isDown) : [];
  const alone = nodes.filter((id) => !together.includes(id)).map((id) => [id]);
  return together.length > 0 ? [together, ...alone] : alone;
}

/**
 * `behind`: ids of nodes that have not applied their newest document.
 * @throws StepImpossible with the error of a broker that refuses its document
 */
function requireWilling(operation: OperationRow, away: NodeRow[], behind: readonly NodeId[]): void {
  for (const node of away) {
    const before = memoOf(operation).before?.find(({ node_id }) => node_id === node.id);
    const refusal = before && behind.includes(node.id) ? whyRefused(node, before) : null;
    if (refusal) throw new StepImpossible(refusal);
  }
}

/** Stopping a node can make other nodes unavailable, so a stop does not wait for them. */
const isToServeAgain = (operation: OperationRow, { id }: NodeRow): boolean =>
  memoOf(operation).action !== 'stop' && (memoOf(operation).healthy ?? []).includes(id);
