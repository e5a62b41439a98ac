/** The processes of a node that can be asked: each has a socket below the node's directory. */
export type InstanceRole = 'agent' | 'broker' | 'gate' | 'connectors';

/** Below the node's directory; 0700. */
export const SOCKET_DIRECTORY = 'run';

/**
 * The file of a socket. Each process of a role takes the next number, and the highest number is the one that counts: a name
 * that nobody else can take back, also when the process before was killed and its file is still there.
 */
export const socketName = (role: InstanceRole, number: number): string => `${role}.${number}.sock`;

/** The highest number among the files of the directory; 0 when the role never had a socket. */
export function newestSocket(names: readonly string[], role: InstanceRole): number {
  const numbers = names.map((name) => Number(/^([a-z]+)\.([1-9]\d{0,9})\.sock$/.exec(name)?.[2] ?? 0));
  return Math.max(0, ...numbers.filter((number) => names.includes(socketName(role, number))));
}
