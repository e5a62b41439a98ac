import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { endProcesses } from '../process-scan.js';
import type { NodePlace } from '../node-place.js';
import { isListening } from './is-listening.js';
import type { InstanceRole } from './socket-directory.js';

/** For a process that ends by itself; it gives itself less. */
const DEADLINE_MS = 8_000;

/** Where a process of the release before listens: an abstract socket, whose name anybody on the machine can take. */
export const olderName = ({ installation, nodeId }: NodePlace, role: InstanceRole): string =>
  `\0landlord-${installation}-${nodeId}-${role}`;

/**
 * Ends a process of the release before, which has another lock than this one and cannot be asked. It is found by its old name
 * and ended by its argv, in order: nothing is said to whoever has the name. Without anybody at the old name nothing is looked
 * for, since a look at all processes costs an agent more memory than it has to spare.
 */
export async function endOlderRelease(place: NodePlace, role: InstanceRole, args: string[]): Promise<void> {
  const isThere =
    process.platform === 'linux' ? await isListening(olderName(place, role)) : await hasOldPort(place, role);
  if (isThere) await endProcesses(args, DEADLINE_MS);
}

/** Elsewhere the release before noted its port beside its other files. */
const hasOldPort = ({ dir }: NodePlace, role: InstanceRole): Promise<boolean> =>
  stat(join(dir, `${role}.port`)).then(
    () => true,
    () => false,
  );
