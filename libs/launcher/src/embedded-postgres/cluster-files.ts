import { existsSync, lchownSync, lstatSync, readdirSync, realpathSync, renameSync } from 'node:fs';
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
  /** A restored cluster, whole and ready to become `data`, and its password. There only while a restore changes the two. */
  restored: string;
  restoredPassword: string;
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
    restored: join(home, 'data.restored'),
    restoredPassword: join(home, 'password.restored'),
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

/**
 * Gives a restored cluster its name, once the one before it has been moved aside. Also called before every start: a
 * restore that dies between the two renames must not look like a directory without a database, which would get a new one.
 */
export function finishRestore(files: ClusterFiles): void {
  if (existsSync(files.data) || !existsSync(files.restored)) return;
  // The password first: whoever comes after a death in between does this again.
  if (existsSync(files.restoredPassword)) renameSync(files.restoredPassword, files.password);
  renameSync(files.restored, files.data);
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
