import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What identifies the files of a directory without reading them: the digest of their paths and sizes, and their size in all. */
export interface Listing {
  sha256: string;
  size_bytes: number;
}

/** Files alone count. */
export async function listingOf(directory: string): Promise<Listing> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const { path, size } of filesIn(directory, '')) {
    hash.update(`${path}\0${size}\n`);
    bytes += size;
  }
  return { sha256: hash.digest('hex'), size_bytes: bytes };
}

/** In the order of their names, whatever the file system. */
async function* filesIn(directory: string, below: string): AsyncGenerator<{ path: string; size: number }> {
  const entries = await readdir(directory, { withFileTypes: true });
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const entry of entries) {
    const [path, shownPath] = [join(directory, entry.name), join(below, entry.name)];
    if (entry.isDirectory()) yield* filesIn(path, shownPath);
    else if (entry.isFile()) yield { path: shownPath, size: (await lstat(path)).size };
  }
}
