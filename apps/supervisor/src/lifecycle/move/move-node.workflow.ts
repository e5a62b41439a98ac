import { Injectable } from '@nestjs/common';
import { ObjectStore } from '@libs/object-store';
import { RuntimesRepository } from '@libs/persistence/runtime';
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
import { moveObjects } from '../../platform/index.js';
import { RestoreNodes } from '../backups/restore-nodes.js';
import { verifyArchive } from '../backups/verify-archive.js';
import { DeploymentLedger } from '../deployment-ledger.js';
import { DeploymentNames } from '../deployment-names.js';
import { DeploymentResources } from '../deployment-resources.js';
import { pollLater } from '../poll-later.js';
import { deploymentOf } from '../subject.js';
import { MoveLedger } from './move-ledger.js';
import { archived, archiveOf, hasLeft, MovingNode } from './moving-node.js';
import { neverUndone } from './never-undone.js';

/** The steps from `placing_node` on have no time to give up: the old node is gone, and only the archive has the data. */
export const MOVE_NODE = stepTable({
  checking_capacity: { to: ['stopping_node'], deadline: '1m', giveUpAfter: '10m' },
  stopping_node: { to: ['archiving_data'], deadline: '2m', giveUpAfter: '10m', undoneBy: 'starting_old_node' },
  archiving_data: { to: ['verifying_archive'], deadline: '30m', giveUpAfter: '6h', undoneBy: 'discarding_archive' },
  verifying_archive: { to: ['placing_node'], deadline: '30m', giveUpAfter: '6h' },
  placing_node: { to: ['placing_node', 'restoring_data'], deadline: '5m' },
  restoring_data: { to: ['redirecting_clients', 'placing_node'], deadline: '30m' },
  redirecting_clients: { to: ['starting_node', 'placing_node'], deadline: '2m' },
  starting_node: { to: ['removing_archive', 'placing_node'], deadline: '3m' },
  removing_archive: { to: [], deadline: '10m' },
  discarding_archive: { to: [], deadline: '10m', isUndo: true },
  starting_old_node: { to: [], deadline: '10m', isUndo: true },
});

const REASON = 'a node moves to another machine';
/** The empty data directory that the node set aside does no harm. The next restore also deletes it. */
const SETTLING_SECONDS = 300;
/** A failed order needs another one. A shorter time would repeat it without a pause. */
const NEXT_ORDER_SECONDS = 60;
/** Then another process finds out what is wrong with the old node. */
const STARTING_OLD_SECONDS = 600;

/**
 * Moves the node with the only copy of its data from a draining machine: all brokers of the deployment stop, the node stores its
 * data, and another machine gets the node and the data. The old node is given up in the transaction that places the new one, after
 * the stored archive is verified. Before that, a failure starts the old node again. After that, the operation never fails, and no
 * broker starts before the new node has reported that it has the data.
 */
@Injectable()
export class MoveNode implements Workflow, StepsOf<typeof MOVE_NODE, StepContext> {
  readonly type = 'move_node';
  readonly table = MOVE_NODE;
  readonly steps: Workflow['steps'] = neverUndone(this, hasLeft);

  constructor(
    private readonly moving: MovingNode,
    private readonly nodes: RestoreNodes,
    private readonly runtimes: RuntimesRepository,
    private readonly store: ObjectStore,
    private readonly resources: DeploymentResources,
    private readonly names: DeploymentNames,
    private readonly ledger: DeploymentLedger,
    private readonly moves: MoveLedger,
  ) {}

  async checking_capacity({ operation }: StepContext) {
    await this.moving.requireLeaving(operation);
    await this.moving.requireCapacity(operation);
    const facts = await this.resources.facts(deploymentOf(operation));
    const node = await this.moving.get(operation);
    return hop('stopping_node', {
      write: async () => {
        await this.moving.stop(operation, REASON);
        await this.moves.began(operation, facts, node);
      },
    });
  }

  async stopping_node({ operation, signal }: StepContext) {
    await this.moving.requireLeaving(operation);
    await this.moving.requireStopped(operation);
    if ((await this.nodes.turns.missing(operation, signal)) !== null)
      return nap('1s', 'waits until the brokers of all nodes have stopped');
    const node = await this.moving.get(operation);
    return hop('archiving_data', { write: () => this.moving.orderArchive(operation, node) });
  }

  async archiving_data({ operation, signal }: StepContext) {
    await this.moving.requireLeaving(operation);
    const outcome = await this.nodes.work.outcome(operation, signal);
    if (typeof outcome === 'string') return nap('1s', outcome);
    const archive = archived(outcome);
    return hop('verifying_archive', { memo: { archive }, write: () => this.nodes.work.withdraw(operation) });
  }

  async verifying_archive({ operation, signal }: StepContext) {
    await verifyArchive(this.store, archiveOf(operation), signal);
    await this.moving.requireLeaving(operation);
    await this.moving.requireCapacity(operation);
    return hop('placing_node', { memo: { left: true }, write: () => this.moving.leave(operation) });
  }

  /** The machine can be removed at any time. Then the node goes to the next one. */
  async placing_node({ operation, signal }: StepContext) {
    if (!hasLeft(operation)) throw new StepImpossible('the old node was not given up');
    if (await this.moving.isLost(operation)) return hop('placing_node', { write: () => this.moving.fence(operation) });
    const facts = await this.resources.facts(deploymentOf(operation));
    const node = await this.moving.get(operation);
    const placed = await this.resources.ensureNode(facts, node, signal);
    if (placed.attributes.private_ip === '') return pollLater([placed], 'a machine starts the node');
    return hop('restoring_data', {
      write: () => this.moving.orderData(operation, node, facts, placed.attributes),
    });
  }

  async restoring_data({ operation, signal }: StepContext) {
    const order = await this.moving.orderOfData(operation);
    if (!order || (await this.moving.isGone(operation))) return hop('placing_node');
    if (order.status === 'done') return hop('redirecting_clients');
    if (order.status === 'failed')
      return operation.step_age_seconds < NEXT_ORDER_SECONDS
        ? nap('10s', `the node cannot take the data: ${order.error ?? 'failed'}`)
        : hop('placing_node');
    const facts = await this.resources.facts(deploymentOf(operation));
    await this.resources.ensureNode(facts, await this.moving.get(operation), signal);
    return nap('1s', 'the node takes the data');
  }

  async redirecting_clients({ operation, signal }: StepContext) {
    const order = await this.moving.orderOfData(operation);
    if (order?.status !== 'done' || (await this.moving.isGone(operation))) return hop('placing_node');
    const facts = await this.resources.facts(deploymentOf(operation));
    const balancer = await this.resources.ensureLoadBalancer(facts, await this.nodes.list(operation), signal);
    if (balancer.state !== 'active') return pollLater([balancer], 'the load balancer leads to the new machine');
    return hop('starting_node', {
      write: async () => {
        await this.runtimes.recordLoadBalancer(facts.id, balancer.attributes.address);
        await this.nodes.letGo(operation);
      },
    });
  }

  async starting_node({ operation, signal }: StepContext) {
    if (await this.moving.isGone(operation)) return hop('placing_node', { write: () => this.nodes.hold(operation) });
    const missing = await this.nodes.turns.missing(operation, signal);
    if (missing !== null) return nap('1s', missing);
    const facts = await this.resources.facts(deploymentOf(operation));
    const pending = await this.names.ensure(facts, signal);
    if (pending !== null) return pollLater([pending], 'Landlord publishes the DNS name');
    const node = await this.moving.get(operation);
    return hop('removing_archive', {
      write: async () => {
        await this.runtimes.move(facts.id, 'initialized');
        await this.nodes.end(operation, 'settle_data', [archiveOf(operation)]);
        await this.moves.moved(operation, facts, node);
      },
    });
  }

  async removing_archive({ operation, signal }: StepContext) {
    const isOver = operation.step_age_seconds > SETTLING_SECONDS;
    if (!isOver && !(await this.nodes.work.haveEnded(operation, signal)))
      return nap('1s', 'the node deletes the directory that it set aside');
    await this.store.removeBelow(moveObjects(deploymentOf(operation), operation.id));
    return done({ write: () => this.nodes.work.withdraw(operation) });
  }

  async discarding_archive({ operation }: StepContext) {
    if (!hasLeft(operation)) await this.store.removeBelow(moveObjects(deploymentOf(operation), operation.id));
    return done();
  }

  async starting_old_node({ operation, signal }: StepContext) {
    const isOver = operation.step_age_seconds > STARTING_OLD_SECONDS || (await this.moving.isGone(operation));
    const missing = isOver ? null : await this.nodes.turns.missing(operation, signal);
    return missing === null ? done() : nap('1s', missing);
  }

  async held(operation: OperationRow, reason: string): Promise<void> {
    await this.runtimes.explain(deploymentOf(operation), 'restoring', reason);
  }

  /** Runs in the transaction that starts the undo. Without its data, a node stays stopped. */
  async undoing(operation: OperationRow): Promise<void> {
    if (!hasLeft(operation)) await this.nodes.letGo(operation);
  }

  /** The node continues on its machine, and the drain tries again later. */
  async failed(operation: OperationRow, failure: Failure): Promise<void> {
    const id = deploymentOf(operation);
    const facts = await this.resources.facts(id);
    if (await this.runtimes.moveFrom(id, 'restoring', 'initialized')) await this.moves.gaveUp(operation, facts);
    await this.moving.noteFailure(operation, failure.reason);
    await this.ledger.failed(operation, facts, failure);
  }
}
