import { Readable } from 'node:stream';
import type { Unpack } from 'tar';

/** Archives are mostly read by nobody: speed counts, not size. */
const GZIP_LEVEL = 1;

// tar is loaded with the first order only: an agent that is given none does without.

/** A directory as a gzipped tar, without owners and times, so that equal data makes equal bytes. */
export async function packed(directory: string): Promise<Readable> {
  const { create } = await import('tar');
  const pack = create({ cwd: directory, gzip: { level: GZIP_LEVEL, portable: true }, portable: true }, ['.']);
  return Readable.from(pack as AsyncIterable<Buffer>);
}

/** Takes a gzipped tar and writes its files and directories below `directory`; anything else in it is left out. */
export async function unpacking(directory: string): Promise<Unpack> {
  const { extract } = await import('tar');
  return extract({
    cwd: directory,
    strict: true,
    preserveOwner: false,
    filter: (_path, entry) => 'type' in entry && ['File', 'OldFile', 'Directory'].includes(entry.type),
  });
}
