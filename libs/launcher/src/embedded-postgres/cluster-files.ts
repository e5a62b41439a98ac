import { existsSync, lchownSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LauncherError } from '../launcher-error.js';
import type { RunAs } from './run-as.js';

/** Where the parts of one embedded PostgreSQL lie. */
export interface ClusterFiles {
  /** Holds everything below; 0700, owned by the database's user. */
  home: string;
  /** What PostgreSQL calls its data directory. */
  data: string;
  /** initdb works here; the directory gets its name `data` only when it is whole. */
  draft: string;
  password: string;
  /** The port of the last start, taken again if it is free, so that noted addresses stay true. */
  port: string;
  lock: string;
  log: string;
}

/** The paths below a Landlord data directory. Nothing is made. */
export function clusterFiles(dataDir: string): ClusterFiles {
  // Without symbolic links: a postmaster is recognized by this path, whichever way its directory was named.
  const root = existsSync(dataDir) ? realpathSync(dataDir) : resolve(dataDir);
  const home = join(root, 'postgres');
  return {
    home,
    data: join(home, 'data'),
    draft: join(home, 'data.new'),
    password: join(home, 'password'),
    port: join(home, 'port'),
    lock: join(root, 'postgres.lock'),
    log: join(root, 'logs', 'postgres.log'),
  };
}

/**
 * Gives the files to the user that PostgreSQL runs as, when another one had them: the way of running may differ from the
 * last start. Must not be called while the database runs.
 */
export function ensureOwner(files: ClusterFiles, way: RunAs): void {
  const uid = lstatSync(files.home).uid;
  if (way.owner) {
    if (!everyPart(files).every((path) => isOwnedBy(path, way.owner?.uid))) chownTree(files.home, way.owner);
    return;
  }
  if (uid === process.getuid?.()) return;
  throw new LauncherError(
    `${files.home} belongs to user ${uid}, not to you. Start Landlord as that user, or set LANDLORD_DATA_DIR.`,
  );
}

function everyPart(files: ClusterFiles): string[] {
  return [files.home, files.data, files.password];
}

function isOwnedBy(path: string, uid: number | undefined): boolean {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  return entry === undefined || entry.uid === uid;
}

/** From the leaves to the root, so that an interrupted change is seen at the next start and done again. */
function chownTree(path: string, owner: { uid: number; gid: number }): void {
  if (lstatSync(path).isDirectory()) {
    for (const name of readdirSync(path)) chownTree(join(path, name), owner);
  }
  lchownSync(path, owner.uid, owner.gid);
}
