import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LauncherError } from '../launcher-error.js';
import type { BackupManifest } from './backup-manifest.js';
import { copyFile, syncDirectory } from './copy-file.js';

const DATA = 'data/';

/**
 * Copies the cluster of a backup into `target`, which must not exist, and compares every file with the manifest. Throws
 * LauncherError that names the first missing or changed file.
 */
export async function restoreFiles(backup: string, manifest: BackupManifest, target: string): Promise<void> {
  await mkdir(target, { mode: 0o700 });
  const directories = manifest.directories
    .filter((path) => path.startsWith(DATA))
    .map((path) => path.slice(DATA.length));
  for (const directory of directories) await mkdir(join(target, directory), { mode: 0o700, recursive: true });
  for (const path of Object.keys(manifest.files).filter((one) => one.startsWith(DATA)))
    await restoreFile(backup, manifest, path, join(target, path.slice(DATA.length)));
  for (const directory of ['', ...directories]) await syncDirectory(join(target, directory));
}

/** Copies one file of a backup. Throws LauncherError when it is missing or differs from the manifest. */
export async function restoreFile(
  backup: string,
  { files }: BackupManifest,
  path: string,
  target: string,
): Promise<void> {
  const copied = await copyFile(join(backup, path), target).catch((cause: NodeJS.ErrnoException) => {
    throw cause.path === target || cause.code === 'ENOSPC' ? cause : damaged(backup, path, cause);
  });
  if (copied.sha256 !== files[path]?.sha256) throw damaged(backup, path, null);
}

function damaged(backup: string, path: string, cause: unknown): LauncherError {
  const why = cause === null ? 'differs from the manifest' : `is not readable: ${(cause as Error).message}`;
  return new LauncherError(`The backup is damaged: ${join(backup, path)} ${why}. Landlord has changed nothing.`, {
    cause,
  });
}
