import type { NodeId } from './ids.js';

/** The processes of a node that have a socket below the node's directory. */
export type InstanceRole = 'agent' | 'broker' | 'gate' | 'connectors';

/** Directory below the node's directory, with mode 0700. */
export const SOCKET_DIRECTORY = 'run';

/**
 * Returns the file name of a socket. Each new process of a role takes the next number, and the highest number is valid.
 * So a process never removes or reuses the name of another one, even when a killed process left its file.
 */
export const socketName = (role: InstanceRole, number: number): string => `${role}.${number}.sock`;

/** Returns the highest number among the files of the directory; 0 when the role never had a socket. */
export function newestSocket(names: readonly string[], role: InstanceRole): number {
  const numbers = names.map((name) => Number(/^([a-z]+)\.([1-9]\d{0,9})\.sock$/.exec(name)?.[2] ?? 0));
  return Math.max(0, ...numbers.filter((number) => names.includes(socketName(role, number))));
}

/**
 * Returns the abstract socket of a process of the previous release (docs/decisions/0037). Any process on the machine can
 * take this name, so a reader must verify the owner.
 */
export const previousSocket = (installation: string, nodeId: NodeId, role: InstanceRole): string =>
  `\0landlord-${installation}-${nodeId}-${role}`;
