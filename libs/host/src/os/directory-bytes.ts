import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes in a directory and its subdirectories. 0 when it does not exist. Ignores files that vanish during the read. */
export async function directoryBytes(path: string): Promise<number> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries.map((entry) => {
      const child = join(path, entry.name);
      return entry.isDirectory() ? directoryBytes(child) : fileBytes(child);
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function fileBytes(path: string): Promise<number> {
  return stat(path).then(
    (file) => file.size,
    () => 0,
  );
}
