import { existsSync, statfsSync, statSync } from 'node:fs';
import { fail, ok, warn, type Finding } from '@libs/operator';
import type { LauncherConfig } from '../../config.js';

const CHECK = 'data directory';
const DISK = 'disk';
const GB = 1e9;
const WARN_BYTES = 2 * GB;
const FAIL_BYTES = 0.2 * GB;

/** Checks that the data directory exists, belongs to this user, is private and has free space. */
export function checkDataDirectory({ dataDir }: Pick<LauncherConfig, 'dataDir'>): Finding[] {
  if (!existsSync(dataDir))
    return [
      fail(
        CHECK,
        `${dataDir} does not exist`,
        'Set LANDLORD_DATA_DIR, or start Landlord. Landlord creates the directory.',
      ),
    ];
  return [checkOwner(dataDir), checkDisk(dataDir)];
}

function checkOwner(dataDir: string): Finding {
  const { uid, mode } = statSync(dataDir);
  const user = process.getuid?.();
  if (user !== undefined && user !== 0 && uid !== user)
    return fail(
      CHECK,
      `${dataDir} belongs to user ${uid}, not to ${user}`,
      `Run this command as user ${uid}, or change the owner with chown.`,
    );
  if ((mode & 0o077) === 0) return ok(CHECK, `${dataDir}, mode 0${(mode & 0o777).toString(8)}`);
  const todo = `Other users can open the directory. Secret files have mode 0600. Run: chmod 700 ${dataDir}`;
  return warn(CHECK, `${dataDir} has mode 0${(mode & 0o777).toString(8)}`, todo);
}

function checkDisk(dataDir: string): Finding {
  const { bavail, bsize } = statfsSync(dataDir);
  const free = bavail * bsize;
  const what = `${(free / GB).toFixed(1)} GB free for ${dataDir}`;
  const todo = 'Free disk space. PostgreSQL and all of Landlord stop when the disk is full.';
  if (free < FAIL_BYTES) return fail(DISK, what, todo);
  return free < WARN_BYTES ? warn(DISK, what, todo) : ok(DISK, what);
}
