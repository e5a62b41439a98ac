import { join } from 'node:path';
import { requireDataDirectory } from '@libs/domain/starts';
import { FileLock } from '@libs/host/os';

/** Creates the data directory and takes its launcher lock. If another process has the lock, returns its pid. */
export function tryLauncherLock(dataDir: string): FileLock | { heldBy: number } {
  requireDataDirectory(dataDir);
  return FileLock.tryAcquire(launcherLockPath(dataDir));
}

/** The path of the lock. It exists from the start of Landlord until it has stopped. */
export const launcherLockPath = (dataDir: string): string => join(dataDir, 'launcher.lock');
