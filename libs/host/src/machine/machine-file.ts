import { statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { readFileIfAny, writePrivateFile } from '../os/private-file.js';
import { sourceAddress } from './source-address.js';
import { MachineRefused } from './machine-refused.js';

/** Relative to the directory of the machine. */
export const MACHINE_FILE = 'machine.json';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
/** Memory that nodes cannot use by default, for the host and this agent. */
const RESERVED_MIB = 512;
/** Disk that nodes cannot use by default, for programs and logs. */
const RESERVED_GIB = 2;

/** How the nodes of the machine run. `systemd` needs root. */
export const NODE_KINDS = ['systemd', 'processes'] as const;
export type NodeKind = (typeof NODE_KINDS)[number];

/** The file (0600) that the join writes before the first start of the agent. */
export interface MachineFile {
  /** Base address of the gateway: https, or http to the loopback. */
  agent_url: string;
  /** `<token id>.<secret>`. The agent clears it after the first successful call with its own credential. */
  token: string;
  nodes: NodeKind;
  /** MiB that nodes may use in all. Absent: the memory of the host without 512 MiB. */
  memory_mib?: number;
  /** GiB that nodes may use in all. Absent: the free disk without 2 GiB. */
  disk_gib?: number;
  /** `host`: nodes may use what the host has at each start, because the host exists for them. Then both limits above are absent. */
  limits?: 'host';
  /** The address at which others reach the nodes. Absent: the address from which this host reaches the gateway. */
  address?: string;
  /** Absolute path of the certificate of the authority, as PEM. The environment of this agent must name it, too. */
  ca_file?: string;
}

/** The file after the first start: the agent has chosen what the operator left open. */
export type CompleteMachineFile = MachineFile & Required<Pick<MachineFile, 'memory_mib' | 'disk_gib' | 'address'>>;

/** What the host can give to nodes: in all, and of the disk what is free now. */
interface HostLimits {
  memory_mib: number;
  disk_gib: number;
  free_gib: number;
}

/**
 * Reads and checks the file, and stores the limits that it leaves open. Later starts use the stored limits, because the free disk
 * shrinks with each node. Throws MachineRefused.
 */
export async function completeMachineFile(dir: string): Promise<CompleteMachineFile> {
  const file = await readMachineFile(dir);
  const host = { memory_mib: Math.floor(totalmem() / MIB), ...(await diskOf(dir)) };
  const address = file.address ?? (await sourceAddress(file.agent_url));
  if (file.limits === 'host') return { ...file, address, ...wholeHost(host) };
  const complete = {
    ...file,
    memory_mib: file.memory_mib ?? Math.max(host.memory_mib - RESERVED_MIB, 1),
    disk_gib: file.disk_gib ?? Math.max(host.free_gib - RESERVED_GIB, 1),
    address,
  };
  requireWithin(host, complete, dir);
  if (JSON.stringify(complete) !== JSON.stringify(file)) await writeMachineFile(dir, complete);
  return complete;
}

/** The size of the file system counts, not what is free: the data of the node are there at a later start. */
const wholeHost = ({ memory_mib, disk_gib }: HostLimits): Pick<CompleteMachineFile, 'memory_mib' | 'disk_gib'> => ({
  memory_mib: Math.max(memory_mib - RESERVED_MIB, 1),
  disk_gib: Math.max(disk_gib - RESERVED_GIB, 1),
});

function requireWithin(host: HostLimits, limits: CompleteMachineFile, dir: string): void {
  if (limits.memory_mib > host.memory_mib)
    throw new MachineRefused(
      `machine.json gives ${limits.memory_mib} MiB of memory to nodes, and this host has ${host.memory_mib} MiB.`,
    );
  if (limits.disk_gib > host.disk_gib)
    throw new MachineRefused(
      `machine.json gives ${limits.disk_gib} GiB of disk to nodes, and the file system of ${dir} has ${host.disk_gib} GiB.`,
    );
}

/** The gateway has accepted the machine's own credential. Then the token is invalid and is removed from the disk. */
export async function forgetToken(dir: string): Promise<void> {
  const file = await readMachineFile(dir);
  if (file.token !== '') await writeMachineFile(dir, { ...file, token: '' });
}

function writeMachineFile(dir: string, file: MachineFile): Promise<void> {
  return writePrivateFile(join(dir, MACHINE_FILE), JSON.stringify(file));
}

/** Reads and checks the file. Throws MachineRefused. */
export async function readMachineFile(dir: string): Promise<MachineFile> {
  const content = await readFileIfAny(join(dir, MACHINE_FILE));
  if (content === null) throw new MachineRefused(`${join(dir, MACHINE_FILE)} does not exist. Join the machine again.`);
  const file = parsed(content);
  if (file === null) throw new MachineRefused(`${join(dir, MACHINE_FILE)} is malformed. Join the machine again.`);
  return file;
}

/** Null for a malformed file. The caller does not quote it, because it contains a token. */
function parsed(content: string): MachineFile | null {
  try {
    const file = JSON.parse(content) as Partial<MachineFile>;
    const { agent_url: url, token, nodes, memory_mib: memory = 1, disk_gib: disk = 1, ca_file: authority = '/' } = file;
    const texts = [url, token, file.address ?? '', authority].every((text) => typeof text === 'string');
    const numbers = [memory, disk].every((number) => Number.isSafeInteger(number) && number > 0);
    const isWhole =
      texts &&
      numbers &&
      [undefined, 'host'].includes(file.limits) &&
      url !== '' &&
      isAbsolute(authority) &&
      NODE_KINDS.some((kind) => kind === nodes);
    return isWhole ? (file as MachineFile) : null;
  } catch {
    return null;
  }
}

async function diskOf(dir: string): Promise<{ disk_gib: number; free_gib: number }> {
  const { blocks, bavail, bsize } = await statfs(dir);
  return { disk_gib: Math.ceil((blocks * bsize) / GIB), free_gib: Math.floor((bavail * bsize) / GIB) };
}
