import { isProvenIggy } from '@libs/domain/iggy-releases';
import { BrokerError } from '../../../control/broker-error.js';
import { requireOwnData } from './data-directory.js';
import { diskFull, diskSpace } from './disk-space.js';
import { alignSegments } from './segment-tails.js';

/**
 * Prepares a data directory for the start of a server. The server itself starts on data of another line, on a full disk, and on segments
 * that its death left unfinished, and loses messages. Throws BrokerError when no server must start.
 */
export async function makeStartable(data: string, release: string): Promise<void> {
  await requireOwnData(data, release);
  if (!isProvenIggy(release)) return;
  const space = await diskSpace(data);
  if (space.freeBytes < space.reserveBytes) throw new BrokerError(diskFull(space, 'the broker does not start'));
  await alignSegments(data);
}
