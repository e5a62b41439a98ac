import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { LauncherError } from '../launcher-error.js';
import { copyFile, type CopiedFile } from './copy-file.js';

/** The content of a copied tree, by path relative to its root. */
export interface CopiedTree {
  directories: string[];
  files: Record<string, CopiedFile>;
}

/** Directories with content of the running server (the same list as in pg_basebackup). They are created empty. */
const EMPTIED = [
  ...['pg_wal', 'pg_wal/archive_status', 'pg_wal/summaries', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial'],
  ...['pg_snapshots', 'pg_stat_tmp', 'pg_subtrans'],
];
const LEFT_OUT = [
  ...['postmaster.pid', 'postmaster.opts', 'current_logfiles', 'backup_label', 'backup_label.old', 'tablespace_map'],
  ...['tablespace_map.old', 'backup_manifest', 'postgresql.auto.conf.tmp'],
];
const LEFT_OUT_ANYWHERE = /^(pgsql_tmp|pg_internal\.init)/;
const CONTROL = 'global/pg_control';

/**
 * Copies the directory of a running cluster, between pg_backup_start and pg_backup_stop. Files change and vanish during the
 * copy; the write-ahead log repairs that. Throws LauncherError for tablespaces, because their files are elsewhere.
 */
export async function copyCluster(data: string, target: string): Promise<CopiedTree> {
  const tree: CopiedTree = { directories: [], files: {} };
  await mkdir(target, { mode: 0o700 });
  await copyDirectory({ data, target, tree }, '');
  for (const path of EMPTIED.filter((one) => !tree.directories.includes(one)))
    await addDirectory({ target, tree }, path);
  return tree;
}

interface Copying {
  data: string;
  target: string;
  tree: CopiedTree;
}

async function copyDirectory(copying: Copying, path: string): Promise<void> {
  for (const entry of await readdir(join(copying.data, path), { withFileTypes: true })) {
    const below = path === '' ? entry.name : `${path}/${entry.name}`;
    if (LEFT_OUT.includes(below) || LEFT_OUT_ANYWHERE.test(entry.name)) continue;
    if (path === 'pg_tblspc')
      throw new LauncherError('The database has tablespaces. This command cannot copy tablespaces. Use pg_basebackup.');
    // An operator can put the log on another disk with a symbolic link at the top level.
    const isDirectory = entry.isDirectory() || below === 'pg_wal';
    if (!isDirectory) await copyLiving(copying, below);
    else await addDirectory(copying, below);
    if (isDirectory && !EMPTIED.includes(below)) await copyDirectory(copying, below);
  }
}

async function addDirectory({ target, tree }: Pick<Copying, 'target' | 'tree'>, path: string): Promise<void> {
  await mkdir(join(target, path), { mode: 0o700, recursive: true });
  tree.directories.push(path);
}

/** Ignores a file that vanished: its table was dropped, and the log drops it again. */
async function copyLiving({ data, target, tree }: Copying, path: string): Promise<void> {
  try {
    tree.files[path] =
      path === CONTROL
        ? await copyControl(join(data, path), join(target, path))
        : await copyFile(join(data, path), join(target, path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Recovery reads this file before the log can repair it. Reads it until two reads are equal, so that it is consistent. */
async function copyControl(source: string, target: string): Promise<CopiedFile> {
  let content = await readFile(source);
  for (;;) {
    const again = await readFile(source);
    if (again.equals(content)) break;
    content = again;
  }
  await writeFile(target, content, { mode: 0o600, flush: true });
  return { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}
