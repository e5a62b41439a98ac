import { Readable } from 'node:stream';
import type { Unpack } from 'tar';

/** Most archives are never read, so speed is more important than size. */
const GZIP_LEVEL = 1;

// Loads tar with the first order, to save memory in an agent without orders.

/** A directory as a gzipped tar, without owners and times, so that equal data gives equal bytes. */
export async function packed(directory: string): Promise<Readable> {
  const { create } = await import('tar');
  const pack = create({ cwd: directory, gzip: { level: GZIP_LEVEL, portable: true }, portable: true }, ['.']);
  return Readable.from(pack as AsyncIterable<Buffer>);
}

/** Extracts the files and directories of a gzipped tar into `directory`. Ignores all other entries. */
export async function unpacking(directory: string): Promise<Unpack> {
  const { extract } = await import('tar');
  return extract({
    cwd: directory,
    strict: true,
    preserveOwner: false,
    filter: (_path, entry) => 'type' in entry && ['File', 'OldFile', 'Directory'].includes(entry.type),
  });
}
