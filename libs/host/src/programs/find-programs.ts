import { constants, existsSync, readdirSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';

export interface BinaryHints {
  /** The operator's path. If it is set, only this path is used. */
  given?: string | undefined;
  /** The data directory. `npm run broker:nats` and `npm run broker:iggy` put their files there. */
  dataDir: string;
  /** The search path of this process. */
  path: string;
}

/** Absolute path of nats-server: the given one, otherwise the one of the fetched package, otherwise the first one in PATH. */
export const findNatsServer = (hints: BinaryHints): Promise<string | null> =>
  findProgram('nats-server', join(hints.dataDir, 'packages/nats-server/usr/sbin'), hints);

/** Absolute path of iggy-server: the given one, otherwise the fetched one, otherwise the first one in PATH. */
export const findIggyServer = (hints: BinaryHints): Promise<string | null> =>
  findProgram('iggy-server', join(hints.dataDir, 'packages/iggy'), hints);

/** Absolute path of iggy-connectors: the given one, otherwise the one beside iggy-server. */
export const findIggyConnectors = (given: string | undefined, server: string | null): Promise<string | null> =>
  findProgram('iggy-connectors', server === null ? null : dirname(server), { given, path: '' });

/** Absolute path of the command line of Apache Iggy: the one beside iggy-server (`given`), otherwise the fetched one or the first one in PATH. */
export const findIggyCommand = ({ given, dataDir, path }: BinaryHints): Promise<string | null> =>
  findProgram('iggy', given ? dirname(resolve(given)) : join(dataDir, 'packages/iggy'), { path });

/**
 * The folders of shared libraries for iggy-server that the data directory has, in the form of LD_LIBRARY_PATH. Null: none, so
 * that iggy-server needs the libraries of the system.
 */
export function findIggyLibraries(dataDir: string): string | null {
  const root = resolve(dataDir, 'packages/libhwloc15/usr/lib');
  if (!existsSync(root)) return null;
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.length === 0 ? null : folders.map(({ name }) => join(root, name)).join(delimiter);
}

async function findProgram(
  name: string,
  folder: string | null,
  { given, path }: Pick<BinaryHints, 'given' | 'path'>,
): Promise<string | null> {
  if (given) return (await isExecutable(resolve(given))) ? resolve(given) : null;
  for (const one of [...(folder === null ? [] : [folder]), ...path.split(delimiter).filter(Boolean)]) {
    const file = resolve(one, name);
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
