import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CountedStream } from './counted-stream.js';
import { isSegment, segmentsOf } from './object-key.js';
import { ObjectStoreError } from './object-store-error.js';
import { ObjectStore, type StoredObject } from './object-store.js';

/** Prefix of temporary files, which may remain after a crash. No key starts with a dot, so they cannot conflict. */
const TEMPORARY = '.upload-';

/** Objects as files in a directory, readable only for their owner. */
export class FileObjectStore extends ObjectStore {
  constructor(
    /** Absolute path. */
    private readonly root: string,
  ) {
    super();
  }

  async put(key: string, body: Readable, limitBytes: number): Promise<StoredObject> {
    const path = this.pathOf(key);
    const temporary = join(dirname(path), `${TEMPORARY}${randomUUID()}`);
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const stored = await writeDurably(temporary, body, limitBytes);
      await rename(temporary, path);
      await syncDirectory(dirname(path));
      return stored;
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw toStoreError(error);
    }
  }

  async get(key: string): Promise<Readable> {
    const file = await open(this.pathOf(key), 'r').catch((error: unknown) => {
      throw toStoreError(error);
    });
    return file.createReadStream();
  }

  async folders(): Promise<string[]> {
    const entries = await readdir(this.root, { withFileTypes: true }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw toStoreError(error);
    });
    return entries
      .filter((entry) => entry.isDirectory() && isSegment(entry.name))
      .map(({ name }) => name)
      .sort();
  }

  async remove(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true }).catch((error: unknown) => {
      throw toStoreError(error);
    });
  }

  async removeBelow(prefix: string): Promise<void> {
    const path = this.pathOf(prefix.replace(/\/$/, ''));
    await rm(path, { recursive: true, force: true }).catch((error: unknown) => {
      throw toStoreError(error);
    });
  }

  sign(): Promise<null> {
    return Promise.resolve(null);
  }

  private pathOf(key: string): string {
    return join(this.root, ...segmentsOf(key));
  }
}

async function writeDurably(path: string, body: Readable, limitBytes: number): Promise<StoredObject> {
  const counted = new CountedStream(limitBytes);
  const file = await open(path, 'wx', 0o600);
  // The stream syncs and closes the file, also after an error.
  await pipeline(body, counted, file.createWriteStream({ flush: true }));
  return counted.stored;
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function toStoreError(error: unknown): ObjectStoreError {
  if (error instanceof ObjectStoreError) return error;
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') return new ObjectStoreError('missing', 'there is no such object');
  return new ObjectStoreError('unavailable', `the object store failed: ${code ?? String(error)}`, { cause: error });
}
