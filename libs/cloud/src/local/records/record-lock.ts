import { access, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CloudError } from '../../cloud-error.js';
import { syncDirectory } from './write-durably.js';

/**
 * A lock that is held, or was: it is taken from an owner who was stopped for seconds, and who may wake in the middle of its
 * work. What it writes is moved into place from the file that makes it the owner, so whoever has taken that file has undone
 * the write with it.
 */
export class RecordLock {
  constructor(private readonly token: string) {}

  /** Puts the content in place of the file, whole and durably, and gives the lock back. @throws CloudError when it was lost */
  async replace(path: string, content: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await whileOwned(this.write(content));
    await whileOwned(rename(this.token, path));
    await syncDirectory(dirname(path));
  }

  /** Removes the file. @throws CloudError when the lock was lost */
  async remove(path: string): Promise<void> {
    // Nothing removes on a condition: who is stopped between these two lines removes what another has made since.
    await whileOwned(access(this.token));
    await rm(path, { force: true });
  }

  /** Into the file that is there: a new one would make an owner of nobody. */
  private async write(content: string): Promise<void> {
    const file = await open(this.token, 'r+');
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
  }
}

async function whileOwned<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new CloudError('provider_unavailable', 'another process has taken the record meanwhile', true, {
      cause: error,
    });
  }
}
