import { existsSync, statSync } from 'node:fs';
import type { LauncherConfig } from '../config.js';
import { LauncherError } from '../launcher-error.js';
import { launcherLockPath } from './launcher-lock.js';
import { secretKeysPath } from './secret-keys.js';

/**
 * Throws LauncherError when Landlord was started before its key file changed: its apps read the keys when they start, so they
 * could not open what is sealed with a newer one. Of keys that come by environment, and of apps elsewhere, it knows nothing.
 */
export function requireKeysKnown(config: LauncherConfig): void {
  const [keys, lock] = [secretKeysPath(config), launcherLockPath(config.dataDir)];
  if (config.secretKeys !== null || !existsSync(keys) || !existsSync(lock)) return;
  if (statSync(keys).mtimeMs <= statSync(lock).mtimeMs) return;
  throw new LauncherError(
    `${keys} has changed since Landlord was started, so its apps do not know the keys in it. Start Landlord again first.`,
  );
}
