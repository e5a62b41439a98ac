import { Injectable } from '@nestjs/common';
import type { DeploymentId, MachineId, NodeId } from '@libs/domain';
import { statement, Database } from '../../database.js';
import { MACHINE_SILENT_SECONDS } from './machine-placement.repository.js';
import { HAS_ONLY_COPY } from './only-copy.js';

/** A node that can leave its machine: other nodes of its deployment have its data. */
export interface MovableNode {
  name: string;
  node_id: NodeId;
  deployment_id: DeploymentId;
  machine_id: MachineId;
}

// One node of a deployment at a time, and only while all nodes of the deployment run and nothing changes it.
const MOVABLE = statement(
  'machine_drain.movable',
  `select distinct on (n.deployment_id) n.name, n.node_id, n.deployment_id, n.machine_id
     from machine_nodes n
     join machines m on m.id = n.machine_id
     join nodes node on node.id = n.node_id
     join deployment_runtimes r on r.deployment_id = n.deployment_id
    where m.cell = $1 and m.status = 'draining' and m.last_seen_at > now() - interval '${MACHINE_SILENT_SECONDS} seconds'
      and n.intent = 'present' and n.state = 'active' and r.status = 'initialized' and r.deleted_at is null
      and not exists (select from nodes o where o.deployment_id = n.deployment_id and o.status <> 'running')
      and not exists (select from operations o
                       where o.deployment_id = n.deployment_id and o.changing and o.status in ('pending', 'running'))
      and not ${HAS_ONLY_COPY}
    order by n.deployment_id, n.node_id limit $2`,
);

/** The nodes on draining machines. */
@Injectable()
export class MachineDrainsRepository {
  constructor(private readonly database: Database) {}

  /** At most `limit` nodes that can leave their machines now, each of another deployment. */
  async findMovable(cell: string, limit: number): Promise<MovableNode[]> {
    return this.database.query<MovableNode>(MOVABLE, [cell, limit]);
  }
}
