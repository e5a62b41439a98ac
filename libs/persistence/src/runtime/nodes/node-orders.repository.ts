import { Injectable } from '@nestjs/common';
import type { NodeOrder, NodeOrderKind, OrderPart, OrderReport, NodeId, NodeOrderId, OperationId } from '@libs/domain';
import { statement, Database } from '../../database.js';
import { NodeOrder as NodeOrderEntity, type OrderObject, type OrderObjects } from './entities/node-order.entity.js';

type Parts = NodeOrder['parts'];

/** Work that one node must do once. */
export interface NewOrder {
  nodeId: NodeId;
  kind: NodeOrderKind;
  parts?: Parts;
  options?: NodeOrder['options'];
  objects?: OrderObjects;
}

export interface OrderRow extends Pick<NodeOrderEntity, 'id' | 'kind' | 'status' | 'error' | 'results' | 'objects'> {
  nodeId: NodeId;
}

const GIVE = statement(
  'order.give',
  `insert into node_orders (operation_id, node_id, kind, parts, options, objects)
   select $1, o.node_id, o.kind, o.parts, o.options, o.objects
     from jsonb_to_recordset($2::jsonb) as o(node_id bigint, kind text, parts jsonb, options jsonb, objects jsonb)
    order by o.node_id`,
);
const WITHDRAW = statement(
  'order.withdraw',
  `delete from node_orders where operation_id = $1 returning node_id as "nodeId", options ? 'disk' as "hasDisk"`,
);
// The document of a machine names the disks of the orders.
const PUBLISH_MACHINES = statement(
  'order.publish_machines',
  `update machines set generation = generation + 1
    where status <> 'removed' and id in (
      select machine_id from machine_nodes where node_id = any($1::bigint[]) and intent = 'present')
   returning pg_notify('landlord_machines', id::text)`,
);
// A node reports only its own orders. The first result of an order is final.
const RECORD = statement(
  'order.record',
  `update node_orders o set status = r.status, error = r.error, results = r.parts, ended_at = now()
     from jsonb_to_recordset($1::jsonb) as r(node_id bigint, id bigint, status text, error text, parts jsonb)
    where o.id = r.id and o.node_id = r.node_id and o.status = 'open'`,
);

/** Orders of nodes, from the operation that gives them until their withdrawal. */
@Injectable()
export class NodeOrdersRepository {
  constructor(private readonly database: Database) {}

  /** The caller must publish the documents of the nodes. */
  async give(operationId: OperationId, orders: readonly NewOrder[]): Promise<void> {
    const rows = orders.map(({ nodeId, kind, parts = {}, options = {}, objects = {} }) => ({
      ...{ node_id: nodeId, kind, parts, options, objects },
    }));
    await this.database.execute(GIVE, [operationId, JSON.stringify(rows)]);
    await this.publishMachines(orders.filter(({ options }) => options?.disk).map(({ nodeId }) => nodeId));
  }

  async list(operationId: OperationId): Promise<OrderRow[]> {
    const oldest = { where: { operation_id: operationId }, order: { id: 'ASC' } } as const;
    const orders = await this.database.repository(NodeOrderEntity).find(oldest);
    return orders.map(({ id, node_id, kind, status, error, results, objects }) => ({
      ...{ id, nodeId: node_id, kind, status, error, results, objects },
    }));
  }

  /** Deletes all orders of the operation. Returns the nodes whose documents the caller must publish. */
  async withdraw(operationId: OperationId): Promise<number[]> {
    const rows = await this.database.query<{ nodeId: NodeId; hasDisk: boolean }>(WITHDRAW, [operationId]);
    await this.publishMachines(rows.filter(({ hasDisk }) => hasDisk).map(({ nodeId }) => nodeId));
    return [...new Set(rows.map(({ nodeId }) => nodeId))].sort((a, b) => a - b);
  }

  private async publishMachines(nodes: readonly NodeId[]): Promise<void> {
    if (nodes.length > 0) await this.database.execute(PUBLISH_MACHINES, [nodes]);
  }

  /** The object of a part of an open order of this node. Null when the node has no such order. */
  async findObject(id: NodeOrderId, nodeId: NodeId, part: OrderPart): Promise<OrderObject | null> {
    const open = { id, node_id: nodeId, status: 'open' as const };
    const order = await this.database.repository(NodeOrderEntity).findOneBy(open);
    return order?.objects[part] ?? null;
  }

  /** Stores the order reports of nodes in one statement. */
  async record(reports: readonly (OrderReport & { nodeId: NodeId })[]): Promise<void> {
    if (reports.length === 0) return;
    const rows = reports.map(({ nodeId, ...report }) => ({ node_id: nodeId, ...report }));
    await this.database.execute(RECORD, [JSON.stringify(rows)]);
  }
}
