import { Injectable } from '@nestjs/common';
import type { DeploymentId, NodeId } from '@libs/domain';
import { IsNull, Not } from 'typeorm';
import { statement, Database } from '../database.js';
import { IS_ALIVE } from '../living-cell.js';
import { Cell } from '../organization/entities/cell.entity.js';
import { Node } from '../runtime/nodes/entities/node.entity.js';
import { CellProcess } from '../organization/entities/cell-process.entity.js';

/** A cell as operator commands show it. */
export interface CellRow extends Pick<Cell, 'cell' | 'regions' | 'url' | 'version' | 'drained_at'> {
  broker: string;
  deployments: number;
  /** Machines that have not left it. */
  machines: number;
  seen_seconds_ago: number;
  /** Whether one of its processes has reported within a minute, and the last one has not stopped since. */
  is_alive: boolean;
}

/** A node as operator commands show it. */
export interface OperatorNode extends Pick<
  Node,
  | 'id'
  | 'name'
  | 'deployment_id'
  | 'ordinal'
  | 'status'
  | 'status_reason'
  | 'observed_generation'
  | 'last_seen_at'
  | 'drained_at'
> {
  cell: string;
  generation: number | null;
}

export interface NodeFilter {
  deploymentId: DeploymentId | null;
  cell: string | null;
  status: string | null;
}

const CELLS = statement(
  'operator.cells',
  `select c.cell, c.regions, c.url, c.version, c.drained_at,
          coalesce((select string_agg(b.key || ' ' || (b.value ->> 'version'), ', ' order by b.key)
                      from jsonb_each(c.brokers) b where b.value -> 'clusters' <> '[]'),
                   c.broker_driver || ' ' || c.broker_version) as broker,
          extract(epoch from now() - c.seen_at)::float8 as seen_seconds_ago,
          ${IS_ALIVE} as is_alive,
          (select count(*)::int from deployment_runtimes r where r.cell = c.cell and r.deleted_at is null) as deployments,
          (select count(*)::int from machines m where m.cell = c.cell and m.status <> 'removed') as machines
     from cells c order by c.cell`,
);
// The conditions again: a Supervisor may start while the operator reads the list.
const FORGET_CELL = statement(
  'operator.forget_cell',
  `delete from cells c where c.cell = $1 and not ${IS_ALIVE}
      and not exists (select 1 from deployment_runtimes r where r.cell = c.cell and r.deleted_at is null)
      and not exists (select 1 from machines m where m.cell = c.cell and m.status <> 'removed')`,
);
const NODE_COLUMNS = `n.id, n.name, n.deployment_id, r.cell, n.ordinal, n.status, n.status_reason, d.generation,
  n.observed_generation, n.last_seen_at, n.drained_at`;
const NODES_FROM = `from nodes n join deployment_runtimes r on r.deployment_id = n.deployment_id
  left join node_documents d on d.node_id = n.id`;
const NODES = statement(
  'operator.nodes',
  `select ${NODE_COLUMNS} ${NODES_FROM}
    where ($1::bigint is null or n.deployment_id = $1) and ($2::text is null or r.cell = $2)
      and ($3::text is null or n.status = $3)
    order by n.deployment_id, n.ordinal limit 10000`,
);
const NODE = statement('operator.node', `select ${NODE_COLUMNS} ${NODES_FROM} where n.id = $1`);

const DRAINED = { drained_at: () => 'now()' };

/** The placement of deployments, and drained cells and nodes. */
@Injectable()
export class PlacementCommandsRepository {
  constructor(private readonly database: Database) {}

  async cells(): Promise<CellRow[]> {
    return this.database.query<CellRow>(CELLS);
  }

  /** Returns false when the cell is already drained or unknown. */
  async drainCell(cell: string): Promise<boolean> {
    const { affected } = await this.database.repository(Cell).update({ cell, drained_at: IsNull() }, DRAINED);
    return affected === 1;
  }

  /** Returns false when the cell is not drained or unknown. */
  async resumeCell(cell: string): Promise<boolean> {
    const drained = { cell, drained_at: Not(IsNull()) };
    const { affected } = await this.database.repository(Cell).update(drained, { drained_at: null });
    return affected === 1;
  }

  /** Returns false when the cell is unknown, alive, or has deployments or machines. */
  async forgetCell(cell: string): Promise<boolean> {
    if ((await this.database.execute(FORGET_CELL, [cell])) === 0) return false;
    await this.database.repository(CellProcess).delete({ cell });
    return true;
  }

  async nodes({ deploymentId, cell, status }: NodeFilter): Promise<OperatorNode[]> {
    return this.database.query<OperatorNode>(NODES, [deploymentId, cell, status]);
  }

  async node(id: NodeId): Promise<OperatorNode | null> {
    const [row] = await this.database.query<OperatorNode>(NODE, [id]);
    return row ?? null;
  }

  /** Returns false when the node is already drained or unknown. Publish its document in the same transaction. */
  async drainNode(id: NodeId): Promise<boolean> {
    const { affected } = await this.database.repository(Node).update({ id, drained_at: IsNull() }, DRAINED);
    return affected === 1;
  }

  /** Returns false when the node is not drained or unknown. Publish its document in the same transaction. */
  async resumeNode(id: NodeId): Promise<boolean> {
    const drained = { id, drained_at: Not(IsNull()) };
    const { affected } = await this.database.repository(Node).update(drained, { drained_at: null });
    return affected === 1;
  }
}
