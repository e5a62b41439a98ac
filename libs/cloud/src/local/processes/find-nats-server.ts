import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';

export interface BinaryHints {
  /** Named by the operator: it counts, or nothing does. */
  given?: string | undefined;
  /** The data directory, below which `npm run broker:nats` puts its package. */
  dataDir: string;
  /** The search path of this process. */
  path: string;
}

/** Absolute path of nats-server: the one that was named, else the fetched package's, else the first on the path. */
export async function findNatsServer({ given, dataDir, path }: BinaryHints): Promise<string | null> {
  if (given) return (await isExecutable(resolve(given))) ? resolve(given) : null;
  const folders = [join(resolve(dataDir), 'packages/nats-server/usr/sbin'), ...path.split(delimiter).filter(Boolean)];
  for (const folder of folders) {
    const file = resolve(folder, 'nats-server');
    if (await isExecutable(file)) return file;
  }
  return null;
}

function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
