import { existsSync, lchownSync, lstatSync, readdirSync, realpathSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { StartRefused } from '@libs/domain/starts';
import type { RunAs } from './run-as.js';

/** The paths of an embedded PostgreSQL. */
export interface ClusterFiles {
  /** Parent of all other paths. Mode 0700, owned by the database's user. */
  home: string;
  /** The data directory of PostgreSQL. */
  data: string;
  /** initdb writes here. The directory is renamed to `data` only when it is complete. */
  draft: string;
  /**
   * A complete restored cluster that can become `data`, and its password. They exist only while a restore exchanges the two.
   */
  restored: string;
  restoredPassword: string;
  password: string;
  /** The port of the last start. It is used again if it is free, so that stored addresses stay valid. */
  port: string;
  lock: string;
  log: string;
}

/** The paths below a Landlord data directory. Creates nothing. */
export function clusterFiles(dataDir: string): ClusterFiles {
  // Resolves symbolic links, because a postmaster is recognized by this path.
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
 * Changes the owner of the files when PostgreSQL now runs as another user than at the last start. Must not be called while the
 * database runs.
 */
export function ensureOwner(files: ClusterFiles, way: RunAs): void {
  const uid = lstatSync(files.home).uid;
  if (way.owner) {
    if (!everyPart(files).every((path) => isOwnedBy(path, way.owner?.uid))) chownTree(files.home, way.owner);
    return;
  }
  if (uid === process.getuid?.()) return;
  const facts = { path: files.home, owner: String(uid), user: String(process.getuid?.()) };
  throw StartRefused.because('data_directory_foreign', facts);
}

/**
 * Renames a restored cluster to `data` after the previous one was moved away. Also called before every start: after a crash
 * between the two renames, a start must not create a new database.
 */
export function finishRestore(files: ClusterFiles): void {
  if (existsSync(files.data) || !existsSync(files.restored)) return;
  // Renames the password first. After a crash in between, the next caller repeats this function.
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

/**
 * From the leaves to the root. After an interruption the root still has the old owner, so the next start repeats the change.
 */
function chownTree(path: string, owner: { uid: number; gid: number }): void {
  if (lstatSync(path).isDirectory()) {
    for (const name of readdirSync(path)) chownTree(join(path, name), owner);
  }
  lchownSync(path, owner.uid, owner.gid);
}
