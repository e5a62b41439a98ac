import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BROKER_OF_THE_RUN } from './broker/broker-of-the-run.js';
import { skippedSuite, type Suite } from './skips.js';

const run = promisify(execFile);
/** iggy-server keeps logs and preallocates files. */
const SIZE_MIB = BROKER_OF_THE_RUN === 'iggy' ? 512 : 192;
/** Smaller and smaller, so that nothing remains: a page is the smallest unit of a disk. */
const CHUNKS = [1024 * 1024, 64 * 1024, 4 * 1024].map((bytes) => Buffer.alloc(bytes));

/** A data directory on a separate, small file system that a test can fill. Requires the right to mount. */
export class SmallDisk {
  private constructor(readonly directory: string) {}

  /** Rejects if this user may not mount. */
  static async mount(sizeMib = SIZE_MIB): Promise<SmallDisk> {
    const directory = await mkdtemp(join(tmpdir(), 'landlord-disk-'));
    try {
      await run('mount', ['-t', 'tmpfs', '-o', `size=${sizeMib}m,mode=0700`, 'tmpfs', directory]);
      return new SmallDisk(directory);
    } catch (error) {
      await rm(directory, { recursive: true, force: true });
      throw error;
    }
  }

  /** `describe`, or a suite that is skipped where this user may not mount. */
  static async describe(suite: Suite = describe): Promise<Suite> {
    try {
      await (await SmallDisk.mount(1)).unmount();
      return suite;
    } catch {
      return skippedSuite('this user may not mount a small disk', 'Run them as root');
    }
  }

  /** Writes until the disk is full. A second call takes the space that others have freed since. */
  async fill(): Promise<void> {
    const file = await open(join(this.directory, 'filler'), 'a');
    try {
      for (const chunk of CHUNKS) await writeUntilFull(() => file.writeFile(chunk));
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

async function writeUntilFull(write: () => Promise<void>): Promise<void> {
  try {
    for (;;) await write();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
