import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { NodeDiagnostics } from '@libs/domain';
import { DIAGNOSTICS_LIMITS } from '@libs/domain/node-orders';

/** Counts the entries of a directory tree, and names the first ones. Ignores entries that vanish during the walk. */
export async function dataListing(directory: string): Promise<NodeDiagnostics['data']> {
  const listing: NodeDiagnostics['data'] = { bytes: 0, files: 0, directories: 0, entries: [] };
  await walk(directory, '', listing);
  return listing;
}

async function walk(root: string, below: string, listing: NodeDiagnostics['data']): Promise<void> {
  const entries = await readdir(join(root, below), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      listing.directories += 1;
      await walk(root, path, listing);
      continue;
    }
    const bytes = await lstat(join(root, path)).then(
      ({ size }) => size,
      () => 0,
    );
    listing.files += 1;
    listing.bytes += bytes;
    if (listing.entries.length < DIAGNOSTICS_LIMITS.dataEntries) listing.entries.push({ path, bytes });
  }
}
