import type { NodeId } from '@libs/domain';

/** Runs a statement with the rights of the owner of the tables. */
interface WithRows {
  rows<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
}

/** Takes ids of nodes from their sequence, as the creation of a deployment does. */
export async function nextNodeIds(database: WithRows, nodes: number): Promise<NodeId[]> {
  const rows = await database.rows<{ id: string }>(
    `select nextval('nodes_id_seq') as id from generate_series(1, $1::int)`,
    [nodes],
  );
  return rows.map(({ id }) => Number(id));
}
