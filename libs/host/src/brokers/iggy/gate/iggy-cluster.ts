import type { IggyAdmin } from '../server/iggy-admin.js';

/** The used members of `GET /cluster/metadata`. */
interface ClusterMetadata {
  nodes: { name: string; role: string }[];
}

/** Whether the server with this name leads its cluster. Only the leader takes writes. */
export async function isLeader(admin: IggyAdmin, name: string): Promise<boolean> {
  const { nodes } = await admin.ask<ClusterMetadata>('GET', '/cluster/metadata');
  return nodes.some((node) => node.name === name && node.role === 'leader');
}
