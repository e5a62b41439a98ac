import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BROKER_OF_THE_RUN } from '@libs/testing';

const run = promisify(execFile);
/** iggy-server keeps logs and preallocates files. */
const SIZE_MIB = BROKER_OF_THE_RUN === 'iggy' ? 512 : 192;
const CHUNK = Buffer.alloc(1024 * 1024);

/** A data directory on a separate, small file system that a test can fill. Requires the right to mount. */
export class SmallDisk {
  private constructor(readonly directory: string) {}

  /** Null if this user may not mount. */
  static async mount(): Promise<SmallDisk | null> {
    const directory = await mkdtemp(join(tmpdir(), 'landlord-disk-'));
    try {
      await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MIB}m,mode=0700`, 'tmpfs', directory]);
      return new SmallDisk(directory);
    } catch {
      await rm(directory, { recursive: true, force: true });
      return null;
    }
  }

  /** Writes until the disk is full. */
  async fill(): Promise<void> {
    const file = await open(join(this.directory, 'filler'), 'w');
    try {
      for (;;) await file.writeFile(CHUNK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      await file.close();
    }
  }

  async free(): Promise<void> {
    await rm(join(this.directory, 'filler'), { force: true });
  }

  async unmount(): Promise<void> {
    await run('umount', ['-l', this.directory]);
    await rm(this.directory, { recursive: true, force: true });
  }
}
