import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** A directory as a ZIP stream, without file times. */
export async function zipDirectory(directory: string): Promise<Readable> {
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  // For an unreadable file the stream fails. Otherwise no code would handle the error.
  zip.on('error', (error: Error) => output.destroy(error));
  const entries = await readdir(directory, { withFileTypes: true, recursive: true });
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    zip.addFile(path, path.slice(directory.length + 1), { mtime: new Date(0), mode: 0o600 });
  }
  zip.end();
  return output;
}
