import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** A file system in memory that every Linux has. */
export const MEMORY_FILES = '/dev/shm';

/**
 * The directory of a node for files that no disk may contain. `dir`: the absolute path of the node's directory. The deletion of the
 * node deletes both.
 */
export const nodeMemory = (dir: string): string =>
  join(MEMORY_FILES, `landlord-${createHash('sha256').update(dir).digest('hex').slice(0, 32)}`);
