import { Inject, Injectable } from '@nestjs/common';
import { Database } from '@libs/persistence';
import {
  MachineDrainsRepository,
  MachinePlacementRepository,
  NodesRepository,
  type MovableNode,
} from '@libs/persistence/runtime';
import { Reconciler } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { NodeReplacement } from './node-replacement.js';

const PERIOD_MS = 5_000;
const AT_ONCE = 20;

/**
 * Moves nodes from draining machines to other machines of their zones. The node is removed and fenced, and the NodeReconciler places its next
 * incarnation, which takes the data from the other nodes of the deployment. A node with the only copy of its data stays. So does a
 * node for which no other machine of its zone has room.
 */
@Injectable()
export class DrainReconciler extends Reconciler {
  private readonly cell: string;
  private readonly placement: MachinePlacementRepository;

  constructor(
    database: Database,
    private readonly drains: MachineDrainsRepository,
    private readonly nodes: NodesRepository,
    private readonly replacement: NodeReplacement,
    @Inject(SUPERVISOR_CONFIG) { SUPERVISOR_CELL: cell }: SupervisorConfig,
  ) {
    super('Drain', PERIOD_MS);
    this.cell = cell;
    this.placement = new MachinePlacementRepository(database, cell);
  }

  protected async pass(stopping: AbortSignal): Promise<void> {
    for (const movable of await this.drains.findMovable(this.cell, AT_ONCE)) {
      if (stopping.aborted) return;
      await this.move(movable);
    }
  }

  private async move({ name, node_id, machine_id }: MovableNode): Promise<void> {
    if (!(await this.placement.hasRoomElsewhere(name))) return;
    const [node] = await this.nodes.listOf([node_id]);
    if (!node) return;
    // In this order: after a crash between the two, the NodeReconciler finds the node gone and fences it.
    await this.placement.removeNode(name);
    await this.replacement.fence(node, `machine ${machine_id} is draining`);
  }
}
