import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { previousSocket, type InstanceRole } from '@libs/domain/node-sockets';
import { endProcesses } from '../os/end-processes.js';
import type { NodeHome } from './node-home.js';
import { isListening } from '../os/is-listening.js';

/** Time for a process to end by itself. Its own limit is shorter. */
const DEADLINE_MS = 8_000;

/** The address of a process of the previous release: an abstract socket. Any process on the machine can take its name. */
export const olderName = ({ installation, nodeId }: NodeHome, role: InstanceRole): string =>
  previousSocket(installation, nodeId, role);

/**
 * Ends a process of the previous release, which has another lock and another protocol. It is detected by its old address and
 * ended by its argv with a signal. Nothing is sent to the owner of the old address. If nothing listens there, the process list
 * is not read, because that costs an agent too much memory.
 */
export async function endOlderRelease(home: NodeHome, role: InstanceRole, args: string[]): Promise<void> {
  const isThere =
    process.platform === 'linux' ? await isListening(olderName(home, role)) : await hasOldPort(home, role);
  if (isThere) await endProcesses(args, { graceMs: DEADLINE_MS });
}

/** On other platforms the previous release stored its port in a file. */
const hasOldPort = ({ dir }: NodeHome, role: InstanceRole): Promise<boolean> =>
  stat(join(dir, `${role}.port`)).then(
    () => true,
    () => false,
  );
