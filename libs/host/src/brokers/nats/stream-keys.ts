import { cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The files that describe a stream. They belong together: the first one encrypts the second, the third is its checksum. */
const FILES = ['meta.key', 'meta.inf', 'meta.sum'];

/**
 * Copies of the keys of encrypted streams during the start of nats-server. nats-server 2.9 deletes the key of each stream while
 * it starts, and then writes a new one. If the server is killed in between, the stream and its sessions are lost. So the files
 * are copied before each start, and put back before the next one when the start did not finish.
 */
export class StreamKeys {
  constructor(
    /** Absolute path of the directory for the copies. */
    private readonly directory: string,
  ) {}

  /** Call before a start: puts back the files from a start that did not finish, then copies all files. */
  async keep(dataDirectory: string): Promise<void> {
    await this.putBack(dataDirectory);
    const fresh = `${this.directory}.new`;
    await rm(fresh, { recursive: true, force: true });
    await mkdir(fresh, { recursive: true, mode: 0o700 });
    for (const stream of await streamsIn(dataDirectory))
      await copyFiles(join(dataDirectory, stream), join(fresh, stream));
    await this.forget();
    await rename(fresh, this.directory);
  }

  /** Writes the copies into the streams of this directory. Without copies it does nothing. */
  async putBack(dataDirectory: string): Promise<void> {
    const existing = new Set(await streamsIn(dataDirectory));
    for (const stream of await streamsIn(this.directory))
      if (existing.has(stream)) await copyFiles(join(this.directory, stream), join(dataDirectory, stream));
  }

  /** Call when the server has started. */
  async forget(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** The directories of streams, relative to the data directory. */
async function streamsIn(dataDirectory: string): Promise<string[]> {
  const accounts = await namesIn(join(dataDirectory, 'jetstream'));
  const keys = accounts.map(async (account) => {
    const streams = join('jetstream', account, 'streams');
    return (await namesIn(join(dataDirectory, streams))).map((name) => join(streams, name));
  });
  return (await Promise.all(keys)).flat();
}

const namesIn = (directory: string): Promise<string[]> => readdir(directory).catch(() => []);

/** Copies the files if all exist. */
async function copyFiles(from: string, to: string): Promise<void> {
  const present = await Promise.all(FILES.map((name) => stat(join(from, name)).catch(() => null)));
  if (present.includes(null)) return;
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of FILES) await cp(join(from, name), join(to, name));
}
