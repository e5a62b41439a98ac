import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isStorageFull } from '../outages/outages.js';
import { PROBE_BYTES } from './file-refusals.js';

/** Writes and deletes a small file. Returns why no file can be written there, without the path, or null. */
export async function writeProblem(directory: string): Promise<string | null> {
  const probe = join(directory, `write-check.${process.pid}.${randomBytes(4).toString('hex')}`);
  try {
    const file = await open(probe, 'wx', 0o600);
    // Closing can report a full disk too, on network file systems.
    await file.writeFile(Buffer.alloc(PROBE_BYTES)).finally(() => file.close());
    return null;
  } catch (error) {
    return isStorageFull(error) ? 'the disk of the data directory is full' : 'the data directory cannot be written';
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
}
