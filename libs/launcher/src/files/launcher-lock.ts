import { join } from 'node:path';
import { FileLock } from './file-lock.js';
import { ensurePrivateDirectory } from './private-file.js';

/** Makes the data directory and takes its only launcher's place, or names the process that has it. */
export function tryLauncherLock(dataDir: string): FileLock | { heldBy: number } {
  ensurePrivateDirectory(dataDir);
  return FileLock.tryAcquire(launcherLockPath(dataDir));
}

/** Where the lock lies; it is made when Landlord starts and removed when it has stopped. */
export const launcherLockPath = (dataDir: string): string => join(dataDir, 'launcher.lock');
