import { Injectable } from '@nestjs/common';
import type { DeploymentId, MachineId, NodeId } from '@libs/domain';
import { statement, Database } from '../../database.js';
import { OBSTACLE } from './obstacle.js';
import { HAS_ONLY_COPY } from './only-copy.js';

/** A node that can leave its machine. */
export interface MovableNode {
  name: string;
  node_id: NodeId;
  deployment_id: DeploymentId;
  machine_id: MachineId;
  /** No other node is certain to have the data of the deployment. */
  has_only_copy: boolean;
}

// In a random order, so that nodes without capacity elsewhere do not delay other nodes.
const MOVABLE = statement(
  'machine_drain.movable',
  `select n.name, n.node_id, n.deployment_id, n.machine_id, ${HAS_ONLY_COPY} as has_only_copy
     from machine_nodes n
     join machines m on m.id = n.machine_id
     join nodes node on node.id = n.node_id
     join deployment_runtimes r on r.deployment_id = n.deployment_id
    where m.cell = $1 and m.status = 'draining' and n.intent = 'present' and r.deleted_at is null and ${OBSTACLE} is null
    order by random() limit $2`,
);
const MOVES = statement(
  'machine_drain.moves',
  `select count(*)::int as moves from operations where type = 'move_node' and queue = $1 and status in ('pending', 'running')`,
);

/** The nodes on draining machines. */
@Injectable()
export class MachineDrainsRepository {
  constructor(private readonly database: Database) {}

  /** At most `limit` nodes that can leave their machines now if another machine has capacity, ordered by deployment and node. */
  async findMovable(cell: string, limit: number): Promise<MovableNode[]> {
    const nodes = await this.database.query<MovableNode>(MOVABLE, [cell, limit]);
    return nodes.sort((a, b) => a.deployment_id - b.deployment_id || a.node_id - b.node_id);
  }

  /** The number of moves by a backup that run in the queue of a cell. */
  async countMoves(queue: string): Promise<number> {
    return (await this.database.query<{ moves: number }>(MOVES, [queue]))[0]?.moves ?? 0;
  }
}
