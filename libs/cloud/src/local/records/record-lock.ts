import { access, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CloudError } from '../../cloud-error.js';
import { syncDirectory } from '@libs/host/os';

/**
 * A lock that may already be lost: another process takes it from an owner that was stopped for seconds. The old owner may
 * resume in the middle of its work. Its write is a rename of its owner file, so the write fails when that file was taken.
 */
export class RecordLock {
  constructor(private readonly token: string) {}

  /** Replaces the file atomically and durably, and releases the lock. @throws CloudError when the lock was lost */
  async replace(path: string, content: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await whileOwned(this.write(content));
    await whileOwned(rename(this.token, path));
    await syncDirectory(dirname(path));
  }

  /** Deletes the file. @throws CloudError when the lock was lost */
  async remove(path: string): Promise<void> {
    // No system call deletes conditionally. An owner that is stopped between these two lines deletes a newer file.
    await whileOwned(access(this.token));
    await rm(path, { force: true });
  }

  /** Writes into the existing file. A new file would create an owner without a process. */
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
    throw new CloudError({ code: 'unavailable' }, 'another process has taken the record meanwhile', {
      cause: error,
    });
  }
}
