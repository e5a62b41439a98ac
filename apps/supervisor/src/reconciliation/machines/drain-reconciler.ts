import { Inject, Injectable } from '@nestjs/common';
import { DomainError, operationsQueue } from '@libs/domain';
import { Database } from '@libs/persistence';
import {
  MachineDrainsRepository,
  MachineMovesRepository,
  MachinePlacementRepository,
  NodesRepository,
  RuntimesRepository,
  type MovableNode,
} from '@libs/persistence/runtime';
import { Reconciler } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../../config.js';
import { askedByNobody, DeploymentOperations } from '../../platform/index.js';
import { NodeReplacement } from '../node-replacement.js';

const PERIOD_MS = 5_000;
const AT_ONCE = 20;
/** Each stops the clients of a deployment until its data is copied, so many at once would stop all of them for long. */
const MOVES_AT_ONCE = 4;

/**
 * Moves nodes from draining machines to other machines of their zones, one node of a deployment at a time. A node with other copies
 * of its data is removed and fenced, and the NodeReconciler places its next incarnation, which takes the data from the other nodes.
 * For a node with the only copy, an operation moves the node with its data. A node stays while no other machine of its zone
 * has capacity.
 */
@Injectable()
export class DrainReconciler extends Reconciler {
  private readonly cell: string;
  private readonly placement: MachinePlacementRepository;

  constructor(
    private readonly database: Database,
    private readonly drains: MachineDrainsRepository,
    private readonly moves: MachineMovesRepository,
    private readonly nodes: NodesRepository,
    private readonly replacement: NodeReplacement,
    private readonly runtimes: RuntimesRepository,
    private readonly operations: DeploymentOperations,
    @Inject(SUPERVISOR_CONFIG) { SUPERVISOR_CELL: cell }: SupervisorConfig,
  ) {
    super('Drain', PERIOD_MS);
    this.cell = cell;
    this.placement = new MachinePlacementRepository(database, cell);
  }

  protected async pass(stopping: AbortSignal): Promise<void> {
    const changed = new Set<number>();
    let moving = await this.drains.countMoves(operationsQueue(this.cell));
    for (const node of await this.drains.findMovable(this.cell, AT_ONCE)) {
      if (stopping.aborted) return;
      if (changed.has(node.deployment_id) || (node.has_only_copy && moving >= MOVES_AT_ONCE)) continue;
      if ((await this.moves.shortageElsewhere(node.node_id)) !== null) continue;
      changed.add(node.deployment_id);
      if (!node.has_only_copy) await this.replace(node);
      else if (await this.move(node)) moving += 1;
    }
  }

  private async replace({ name, node_id, machine_id }: MovableNode): Promise<void> {
    const [node] = await this.nodes.listOf([node_id]);
    if (!node) return;
    // In this order: after a crash between the two, the NodeReconciler finds the node gone and fences it.
    await this.placement.removeNode(name);
    await this.replacement.fence(node, `machine ${machine_id} is draining`);
  }

  /** Starts the operation that moves the node with its data. Returns false when something else has changed the deployment first. */
  private async move({ node_id, deployment_id, machine_id }: MovableNode): Promise<boolean> {
    const memo = { node_id, machine_id };
    try {
      return await this.database.transaction(async () => {
        const status = await this.runtimes.findStatusForUpdate(deployment_id);
        const facts = await this.runtimes.facts(deployment_id);
        if (status !== 'initialized' || !facts) return false;
        await this.operations.open(facts, askedByNobody(), { type: 'move_node', memo });
        return true;
      });
    } catch (error) {
      if (error instanceof DomainError && error.code === 'state_conflict') return false;
      throw error;
    }
  }
}
