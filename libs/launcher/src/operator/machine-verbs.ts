import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayAuthority, hasRootCertificate, type MachineId, joinLine, type JoinFiles } from '@libs/domain';
import {
  MachineCommands,
  type LeavingNode,
  type ListedMachine,
  type MachinePlace,
  type MachineWithNodes,
  type PlaceRequest,
} from '@libs/operator';
import { readConfig } from '../config.js';
import { LauncherError } from '../launcher-error.js';
import { ago, fields, printJson, printList, say, type Columns, type Output } from './print.js';
import { withSession } from './with-session.js';

export interface TokenOptions extends Output, PlaceRequest {
  /** Minutes. */
  expires: number;
}

/** `landlord machines token` */
export async function issueMachineToken({ expires, json, ...request }: TokenOptions): Promise<void> {
  const { place, token, files } = await withSession(async (session) => {
    const commands = new MachineCommands(session);
    const chosen = await commands.choosePlace(request);
    // Reads the files first: without them, the token would be useless.
    const files = filesFor(chosen);
    return { place: chosen, files, token: await commands.issueToken(chosen, expires) };
  });
  const { cell, agentUrl: url, region, zone } = place;
  const shell = joinLine(files);
  const warnings = warningsOf(place, files);
  if (json) return printJson({ ...token, cell, region, zone, url, ...shell, warnings });
  say(`Run this line as root on the host. The host becomes a machine of ${zone} (${region}).`);
  say('');
  say(shell.line);
  say('');
  say(`The line asks for this token. One host can use it, until ${token.expires_at.toISOString()}:`);
  say('');
  say(token.token);
  for (const warning of warnings) say(`\n${warning}`);
}

/** The same bytes as the gateway sends: from the settings of this installation, and from this release. */
function filesFor({ agentUrl: url }: MachinePlace): JoinFiles {
  const authority = url.startsWith('https:') ? gatewayAuthority(readConfig().inherited) : null;
  if (authority === null && url.startsWith('https:'))
    throw new LauncherError(`The gateway is at ${url}. Set TLS_CERT or AGENT_CA, as for the Supervisor.`);
  const script = new URL('../../../../apps/supervisor/src/gateway/machines/join.sh', import.meta.url);
  return { url, authority, script: readFileSync(script, 'utf8') };
}

function warningsOf({ agentUrl, region, isUsed }: MachinePlace, { authority }: JoinFiles): string[] {
  const warnings: [boolean, string][] = [
    [
      agentUrl.startsWith('http:'),
      `Only this machine reaches the gateway at ${agentUrl}. Set AGENT_PUBLIC_URL, GATEWAY_HOST, TLS_CERT, TLS_KEY.`,
    ],
    [
      authority !== null && !hasRootCertificate(authority),
      'The last certificate in TLS_CERT is not a root. If the root is private, set AGENT_CA to the root: machines need it.',
    ],
    [
      !existsSync(join(readConfig().dataDir, 'artifacts', 'manifest.json')),
      'Machines get their programs from the gateway. To write these programs, run: npm run artifacts',
    ],
    [!isUsed, `No deployment of ${region} runs on machines. Set LANDLORD_PROVIDER_AWS or _GCP to machines.`],
  ];
  return warnings.filter(([applies]) => applies).map(([, text]) => text);
}

/** `landlord machines list` */
export async function listMachines({ all = false, ...output }: Output & { all?: boolean }): Promise<void> {
  const rows = await withSession((session) => new MachineCommands(session).list(all));
  printList(
    rows,
    {
      id: (row) => row.id,
      host: (row) => row.hostname,
      ...fields('address', 'cell', 'zone', 'status'),
      cpus: (row) => `${row.cpus} ${row.processor}`,
      memory: (row) => `${row.placed_memory_mib} of ${row.memory_mib} MiB`,
      disk: (row) => `${row.placed_disk_gib} of ${row.disk_gib} GiB`,
      nodes: (row) => row.nodes,
      reserved: ({ reserved_for: node }) => node && reservedFor(node),
      agent: (row) => agentOf(row),
      document: (row) => `${row.observed_generation} of ${row.generation}`,
      seen: (row) => ago(row.last_seen_at),
    },
    output,
    'No machines. To add one, run: landlord machines token',
  );
  if (output.json) return;
  for (const { id, leaving } of rows.filter((row) => row.leaving.length > 0)) {
    say(`\nMachine ${id} is draining. Its nodes:`);
    printLeaving(leaving);
  }
}

const reservedFor = ({
  name,
  node,
  deployment_id: id,
  deployment,
}: NonNullable<ListedMachine['reserved_for']>): string => (node === null ? name : `${node} of ${id} (${deployment})`);

/** A machine agent that does not run from an artifact has only a release. */
const agentOf = ({ agent_sha256, agent_version, agent_refusal }: MachineWithNodes['machine']): string =>
  `${agent_sha256?.slice(0, 12) ?? agent_version}${agent_refusal === null ? '' : ` (went back: ${agent_refusal})`}`;

/** `landlord machines drain <id>` */
export async function drainMachine(id: MachineId, output: Output): Promise<void> {
  const machine = await withSession((session) => new MachineCommands(session).drain(id));
  if (output.json) return printJson(machine);
  say(`Machine ${id} (${machine.machine.hostname}) gets no new nodes.`);
  if (machine.nodes.length === 0) return say(`Nothing is on the machine. To remove it: landlord machines remove ${id}`);
  printLeaving(machine.nodes);
  say('Nodes move to other machines of the zone with capacity, one node of a deployment at a time. A node with other');
  say('copies takes the data from the other nodes. A node with the only copy stops, and Landlord copies its data.');
  say('To see what is left, and why: landlord machines list');
}

/** `landlord machines resume <id>` */
export async function resumeMachine(id: MachineId): Promise<void> {
  const { machine } = await withSession((session) => new MachineCommands(session).resume(id));
  say(`Machine ${id} (${machine.hostname}) gets new nodes again.`);
}

export interface RemoveOptions extends Output {
  loseData?: string;
}

/** `landlord machines remove <id>` */
export async function removeMachine(id: MachineId, { loseData, ...output }: RemoveOptions): Promise<void> {
  const machine = await withSession((session) => new MachineCommands(session).remove(id, loseData ?? null));
  if (output.json) return printJson(machine);
  say(`Machine ${id} (${machine.machine.hostname}) is removed. The gateway refuses it.`);
  if (machine.nodes.length === 0) return;
  printNodes(machine);
  say('The host ends its nodes when it reaches the gateway. If it cannot reach the gateway, stop the host.');
  say('Landlord replaces the nodes when they have been silent for a minute.');
}

function printNodes({ nodes }: MachineWithNodes): void {
  printList(nodes, NODE_COLUMNS, {});
}

function printLeaving(nodes: readonly LeavingNode[]): void {
  const move = ({ intent, stays_because: reason }: LeavingNode): string | null =>
    reason === null ? (intent === 'absent' ? null : 'next') : `stays: ${reason}`;
  printList(nodes, { ...NODE_COLUMNS, move }, {});
}

const NODE_COLUMNS = {
  node: (row) => row.node_id,
  name: (row) => row.name,
  deployment: (row) => `${row.deployment_id} (${row.deployment})`,
  broker: (row) => row.broker,
  state: (row) => (row.intent === 'absent' ? 'is being deleted' : row.state),
  data: (row) => (row.has_only_copy ? 'only copy' : 'other copies'),
} satisfies Columns<MachineWithNodes['nodes'][number]>;
