import { Injectable } from '@nestjs/common';
import type { BrokerProtocol, NodeId } from '@libs/domain';
import { statement, Database } from '../../database.js';

export type PortPurpose = BrokerProtocol | 'peer';

const HELD = statement('ports.held', 'select port from node_ports where address = $1 and port between $2 and $3');
const OF_NODE = statement('ports.of_node', 'select purpose, port from node_ports where node_id = $1');
// Two workers can choose the same port. The primary key accepts one of them, and the other chooses again.
const CLAIM = statement(
  'ports.claim',
  'insert into node_ports (address, port, node_id, purpose) values ($1, $2, $3, $4) on conflict do nothing',
);

/** Ports of nodes on an address that several nodes share. A node keeps its ports over restarts. Deleting it frees them. */
@Injectable()
export class NodePortsRepository {
  constructor(private readonly database: Database) {}

  async held(address: string, first: number, last: number): Promise<Set<number>> {
    const rows = await this.database.query<{ port: number }>(HELD, [address, first, last]);
    return new Set(rows.map(({ port }) => port));
  }

  async ofNode(nodeId: NodeId): Promise<Map<PortPurpose, number>> {
    const rows = await this.database.query<{ purpose: PortPurpose; port: number }>(OF_NODE, [nodeId]);
    return new Map(rows.map(({ purpose, port }) => [purpose, port]));
  }

  /** Returns false when the port is taken, or the node already has a port for the purpose. */
  async claim(address: string, port: number, nodeId: NodeId, purpose: PortPurpose): Promise<boolean> {
    return (await this.database.execute(CLAIM, [address, port, nodeId, purpose])) === 1;
  }
}
