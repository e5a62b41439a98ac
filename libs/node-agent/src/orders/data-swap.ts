import { access, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * The data directory of a node and the two that a restore has beside it: what comes, and what was there before. Each move
 * is one rename, and what lies there tells how far it got: so every method may be cut short anywhere and called again.
 * The broker is stopped.
 */
export class DataSwap {
  readonly incoming: string;
  private readonly before: string;

  constructor(
    private readonly data: string,
    /** Of the restore that it is for. */
    restore: number,
  ) {
    this.incoming = `${data}.incoming`;
    this.before = `${data}.before-${restore}`;
  }

  /** An empty directory for what comes. What an earlier restore put aside and never settled is forgotten. */
  async begin(): Promise<void> {
    for (const name of await readdir(dirname(this.data))) {
      const path = join(dirname(this.data), name);
      if (path.startsWith(`${this.data}.before-`) && path !== this.before)
        await rm(path, { recursive: true, force: true });
    }
    await rm(this.incoming, { recursive: true, force: true });
    await mkdir(this.incoming, { recursive: true, mode: 0o700 });
  }

  /** What came takes the place of what was there, which stays beside it. What is put aside first stays the one before. */
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

  /** What was there before takes its place again; nothing happens when nothing was put aside. */
  async revert(): Promise<void> {
    await rm(this.incoming, { recursive: true, force: true });
    if (!(await exists(this.before))) return;
    await rm(this.data, { recursive: true, force: true });
    await rename(this.before, this.data);
    await syncPath(dirname(this.data));
  }

  /** Forgets what was there before. */
  async settle(): Promise<void> {
    await rm(this.incoming, { recursive: true, force: true });
    await rm(this.before, { recursive: true, force: true });
  }
}

/** Everything below survives a power cut from now on. */
async function syncTree(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await syncTree(path);
    else await syncPath(path);
  }
  await syncPath(directory);
}

async function syncPath(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
