import type { DeploymentId, NodeId } from '@libs/domain';
import { CellCommands, NodeCommands, ResourceCommands, type OperatorNode } from '@libs/operator';
import { ago, fields, printList, say, type Output } from './print.js';
import { withSession } from './with-session.js';

export interface NodeListOptions extends Output {
  deployment?: DeploymentId;
  cell?: string;
  status?: string;
}

/** `landlord ops cells list` */
export async function listCells(output: Output): Promise<void> {
  const rows = await withSession((session) => new CellCommands(session).list());
  printList(
    rows,
    {
      ...fields('cell', 'regions', 'url', 'version', 'broker', 'deployments'),
      seen: (row) => `${Math.round(row.seen_seconds_ago)}s ago`,
      alive: (row) => (row.is_alive ? 'yes' : 'no'),
      drained: (row) => row.drained_at,
    },
    output,
    'No Supervisor has ever registered.',
  );
}

/** `landlord ops cells drain <cell>` */
export async function drainCell(cell: string): Promise<void> {
  const { deployments } = await withSession((session) => new CellCommands(session).drain(cell));
  say(`Cell ${cell} accepts no new deployments. Existing deployments continue: ${deployments}.`);
}

/** `landlord ops cells resume <cell>` */
export async function resumeCell(cell: string): Promise<void> {
  await withSession((session) => new CellCommands(session).resume(cell));
  say(`Cell ${cell} accepts new deployments again.`);
}

/** `landlord ops cells forget <cell>` */
export async function forgetCell(cell: string): Promise<void> {
  await withSession((session) => new CellCommands(session).forget(cell));
  say(`Cell ${cell} is forgotten. A Supervisor that starts with this name registers it again.`);
}

/** What the newest report of a node says. */
export const REPORT = {
  reason: (row: OperatorNode) => row.status_reason,
  document: (row: OperatorNode) => `${row.observed_generation} of ${row.generation ?? 0}`,
  seen: (row: OperatorNode) => ago(row.last_seen_at),
  drained: (row: OperatorNode) => row.drained_at,
};

/** `landlord ops nodes list` */
export async function listNodes(options: NodeListOptions): Promise<void> {
  const { deployment = null, cell = null, status = null } = options;
  const filter = { deploymentId: deployment, cell, status };
  const rows = await withSession((session) => new NodeCommands(session).list(filter));
  printList(
    rows,
    {
      id: (row) => row.id,
      deployment: (row) => row.deployment_id,
      ...fields('name', 'cell', 'status'),
      ...REPORT,
    },
    options,
    'No nodes.',
  );
}

export interface ResourceListOptions extends Output {
  deployment?: DeploymentId;
  refused?: boolean;
  limit: number;
}

/** `landlord ops resources list` */
export async function listResources({
  deployment,
  refused = false,
  limit,
  ...output
}: ResourceListOptions): Promise<void> {
  const filter = { deploymentId: deployment ?? null, isRefused: refused, limit };
  const rows = await withSession((session) => new ResourceCommands(session).list(filter));
  printList(
    rows,
    {
      deployment: (row) => row.deployment_id,
      node: (row) => row.node_id,
      ...fields('kind', 'name', 'driver', 'region', 'account', 'intent'),
      seen: (row) => ago(row.seen_at),
      refusal: (row) => row.error,
    },
    output,
    'No resources.',
  );
}

/** `landlord ops nodes drain <id>` */
export async function drainNode(id: NodeId): Promise<void> {
  const { name, deployment_id } = await withSession((session) => new NodeCommands(session).drain(id));
  say(`The broker of ${name} (node ${id}, deployment ${deployment_id}) is stopping and stays stopped.`);
  say(
    `To check, run: landlord ops nodes list --deployment ${deployment_id}. To start it again, run: landlord ops nodes resume ${id}`,
  );
}

/** `landlord ops nodes resume <id>` */
export async function resumeNode(id: NodeId): Promise<void> {
  const { name, deployment_id } = await withSession((session) => new NodeCommands(session).resume(id));
  say(`The broker of ${name} (node ${id}, deployment ${deployment_id}) may run again.`);
}
