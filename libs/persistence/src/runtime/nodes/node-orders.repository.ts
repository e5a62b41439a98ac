import type { NodeOrder, NodeOrderKind, OrderPart, OrderReport } from '@libs/domain';
import { statement, type Database } from '../../database.js';

/** Where a part of an order lies, or is to lie, in the object store. */
export interface OrderObject {
  key: string;
  /** Of an upload: so much is taken. */
  limit_bytes: number;
}

type Parts = NodeOrder['parts'];
export type OrderObjects = Partial<Record<OrderPart, OrderObject>>;

/** Work that one node is to do once. */
export interface NewOrder {
  nodeId: number;
  kind: NodeOrderKind;
  parts?: Parts;
  options?: NodeOrder['options'];
  objects?: OrderObjects;
}

export interface OrderRow {
  id: number;
  nodeId: number;
  kind: NodeOrderKind;
  status: 'open' | 'done' | 'failed';
  error: string | null;
  results: Parts;
  objects: OrderObjects;
}

const GIVE = statement(
  'order.give',
  `insert into node_orders (operation_id, node_id, kind, parts, options, objects)
   select $1, o.node_id, o.kind, o.parts, o.options, o.objects
     from jsonb_to_recordset($2::jsonb) as o(node_id bigint, kind text, parts jsonb, options jsonb, objects jsonb)
    order by o.node_id`,
);
const LIST = statement(
  'order.list',
  `select id, node_id as "nodeId", kind, status, error, results, objects from node_orders where operation_id = $1
    order by id`,
);
const WITHDRAW = statement(
  'order.withdraw',
  'delete from node_orders where operation_id = $1 returning node_id as "nodeId"',
);
const FIND_OBJECT = statement(
  'order.object',
  `select objects -> $3 as object from node_orders where id = $1 and node_id = $2 and status = 'open'`,
);
// A node speaks for itself only, and what has ended stays as it was told first.
const RECORD = statement(
  'order.record',
  `update node_orders o set status = r.status, error = r.error, results = r.parts, ended_at = now()
     from jsonb_to_recordset($1::jsonb) as r(node_id bigint, id bigint, status text, error text, parts jsonb)
    where o.id = r.id and o.node_id = r.node_id and o.status = 'open'`,
);

/** Orders of nodes, from the operation that gives them to the one that withdraws them. */
export class NodeOrdersRepository {
  constructor(private readonly database: Database) {}

  /** The documents of the nodes are the caller's to publish. */
  async give(operationId: number, orders: readonly NewOrder[]): Promise<void> {
    const rows = orders.map(({ nodeId, kind, parts = {}, options = {}, objects = {} }) => ({
      ...{ node_id: nodeId, kind, parts, options, objects },
    }));
    await this.database.execute(GIVE, [operationId, JSON.stringify(rows)]);
  }

  async list(operationId: number): Promise<OrderRow[]> {
    return this.database.query<OrderRow>(LIST, [operationId]);
  }

  /** Takes them all back; answers the nodes whose documents are to be published. */
  async withdraw(operationId: number): Promise<number[]> {
    const rows = await this.database.query<{ nodeId: number }>(WITHDRAW, [operationId]);
    return [...new Set(rows.map(({ nodeId }) => nodeId))].sort((a, b) => a - b);
  }

  /** Where a part of an open order of this node lies; null when the node has no such order. */
  async findObject(id: number, nodeId: number, part: OrderPart): Promise<OrderObject | null> {
    const [row] = await this.database.query<{ object: OrderObject | null }>(FIND_OBJECT, [id, nodeId, part]);
    return row?.object ?? null;
  }

  /** Writes what nodes tell of their orders, all in one statement. */
  async record(reports: readonly (OrderReport & { nodeId: number })[]): Promise<void> {
    if (reports.length === 0) return;
    const rows = reports.map(({ nodeId, ...report }) => ({ node_id: nodeId, ...report }));
    await this.database.execute(RECORD, [JSON.stringify(rows)]);
  }
}
