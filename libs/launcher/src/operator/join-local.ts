import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayAuthority, type MachineId } from '@libs/domain';
import { MachineCommands, type PlaceRequest } from '@libs/operator';
import { readConfig } from '../config.js';
import { tailOf, readFileIfAnySync, writePrivateFileSync, until } from '@libs/host/os';
import { makePrivateDirectory } from '@libs/domain/starts';
import { LauncherError } from '../launcher-error.js';
import {
  authorityIn,
  findMachineAgents,
  localMachineDirectory,
  machineFileIn,
  machineLogIn,
  startMachineAgent,
} from '../processes/machine-agent.js';
import { say } from './print.js';
import { withSession } from './with-session.js';

export interface LocalJoinOptions extends PlaceRequest {
  /** MiB that nodes may use in all. Default: the memory of the host without 512 MiB. */
  memory?: number;
  /** GiB that nodes may use in all. Default: the free disk without 2 GiB. */
  disk?: number;
  /** The address at which clients reach the nodes. Default: the address from which this host reaches the gateway. */
  address?: string;
}

const TOKEN_MINUTES = 5;
const JOIN_MS = 30_000;
/** What a machine knows about its earlier membership. */
const MEMBERSHIP = ['credential.json', 'document.json', 'records'];

/**
 * `landlord machines join --local`: the host of the Supervisor becomes a machine. Its nodes are processes of this user, without
 * limits of the system. A second call only starts the machine agent again.
 */
export async function joinLocalMachine({ memory, disk, address, ...request }: LocalJoinOptions): Promise<void> {
  const directory = localMachineDirectory(readConfig().dataDir);
  const machineId = machineIn(directory);
  const invitation = await withSession(async (session) => {
    const commands = new MachineCommands(session);
    const machine = (await commands.list(true)).find(({ id }) => id === machineId);
    if (machine && machine.status !== 'removed') return null;
    const place = await commands.choosePlace(request);
    return { ...place, token: (await commands.issueToken(place, TOKEN_MINUTES)).token };
  });
  if (invitation === null) {
    if ((await findMachineAgents(directory)).length === 0) startMachineAgent(directory, () => undefined);
    return say(`This host is already machine ${machineId}.`);
  }
  const { agentUrl, region, zone, token } = invitation;
  // An operator has removed the machine that this host was. The data of its nodes stay on the disk.
  for (const file of MEMBERSHIP) rmSync(join(directory, file), { recursive: true, force: true });
  const authority = agentUrl.startsWith('https:') ? gatewayAuthority(readConfig().inherited) : null;
  makePrivateDirectory(directory);
  if (authority !== null) writePrivateFileSync(authorityIn(directory), authority);
  const file = {
    ...{ agent_url: agentUrl, token, nodes: 'processes' },
    ...(authority !== null && { ca_file: authorityIn(directory) }),
    ...(memory !== undefined && { memory_mib: memory }),
    ...(disk !== undefined && { disk_gib: disk }),
    ...(address !== undefined && { address }),
  };
  writePrivateFileSync(machineFileIn(directory), JSON.stringify(file));
  await start(directory);
  say(
    `This host is machine ${machineIn(directory)} of ${zone} (${region}). landlord start runs its agent from now on.`,
  );
}

/** Starts the agent and waits until it has joined. A refused join leaves nothing. @throws LauncherError */
async function start(directory: string): Promise<void> {
  let hasEnded = false;
  startMachineAgent(directory, () => (hasEnded = true));
  await until(() => hasEnded || machineIn(directory) !== null, { timeoutMs: JOIN_MS });
  if (machineIn(directory) !== null) return;
  const reason = tailOf(machineLogIn(directory), 1);
  for (const pid of await findMachineAgents(directory)) process.kill(pid, 'SIGKILL');
  rmSync(directory, { recursive: true, force: true });
  throw new LauncherError(`This host could not join: ${reason || 'the gateway did not answer'}`);
}

/** The id of the machine that the directory is. Null: it has not joined. */
function machineIn(directory: string): MachineId | null {
  const content = readFileIfAnySync(join(directory, 'credential.json'));
  const { machine } = JSON.parse(content ?? '{}') as { machine?: { machine_id: MachineId } | null };
  return machine?.machine_id ?? null;
}
