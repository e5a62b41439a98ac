import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';

export interface BinaryHints {
  /** The operator's path. If it is set, only this path is used. */
  given?: string | undefined;
  /** The data directory. `npm run broker:nats` puts its package there. */
  dataDir: string;
  /** The search path of this process. */
  path: string;
}

/** Absolute path of nats-server: the given one, otherwise the one of the fetched package, otherwise the first one in PATH. */
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
