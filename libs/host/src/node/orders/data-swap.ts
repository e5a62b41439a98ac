import { access, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * The data directory of a node, and two directories of a restore next to it: the incoming data and the previous data. Each move
 * is one rename, and the existing directories show the progress. So every method can be interrupted at any point and called
 * again. The broker is stopped.
 */
export class DataSwap {
  readonly incoming: string;
  private readonly before: string;

  constructor(
    private readonly data: string,
    /** The id of the restore. */
    restore: number,
  ) {
    this.incoming = `${data}.incoming`;
    this.before = `${data}.before-${restore}`;
  }

  /** Creates an empty directory for the incoming data. Deletes previous data of an earlier restore that was never settled. */
  async begin(): Promise<void> {
    for (const name of await readdir(dirname(this.data))) {
      const path = join(dirname(this.data), name);
      if (path.startsWith(`${this.data}.before-`) && path !== this.before)
        await rm(path, { recursive: true, force: true });
    }
    await rm(this.incoming, { recursive: true, force: true });
    await mkdir(this.incoming, { recursive: true, mode: 0o700 });
  }

  /**
   * Replaces the data with the incoming data, and keeps the previous data. Data that was put aside first stays the previous
   * one.
   */
  async replace(): Promise<void> {
    await syncTree(this.incoming);
    if (await exists(this.before)) await rm(this.data, { recursive: true, force: true });
    else {
      await mkdir(this.data, { recursive: true, mode: 0o700 });
      await rename(this.data, this.before);
    }
    await rename(this.incoming, this.data);
    await syncPath(dirname(this.data));
  }

  /** Restores the previous data. Does nothing when no data was put aside. */
  async revert(): Promise<void> {
    await rm(this.incoming, { recursive: true, force: true });
    if (!(await exists(this.before))) return;
    await rm(this.data, { recursive: true, force: true });
    await rename(this.before, this.data);
    await syncPath(dirname(this.data));
  }

  /** Deletes the previous data. */
  async settle(): Promise<void> {
    await rm(this.incoming, { recursive: true, force: true });
    await rm(this.before, { recursive: true, force: true });
  }
}

/** Syncs all files below, so that they survive a power cut. */
export async function syncTree(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await syncTree(path);
    else await syncPath(path);
  }
  await syncPath(directory);
}

export async function syncPath(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
