import { existsSync, statSync } from 'node:fs';
import type { LauncherConfig } from '../config.js';
import { LauncherError } from '../launcher-error.js';
import { launcherLockPath } from './launcher-lock.js';
import { secretKeysPath } from './secret-keys.js';

/**
 * Throws LauncherError when the key file changed after the start of Landlord. Apps read the keys at their start, so they could
 * not open secrets that are sealed with a newer key. Cannot check keys from the environment, or apps on other machines.
 */
export function requireKeysKnown(config: LauncherConfig): void {
  const [keys, lock] = [secretKeysPath(config), launcherLockPath(config.dataDir)];
  if (config.secretKeys !== null || !existsSync(keys) || !existsSync(lock)) return;
  if (statSync(keys).mtimeMs <= statSync(lock).mtimeMs) return;
  throw new LauncherError(
    `${keys} has changed since the start of Landlord. The running apps do not have the new keys. Restart Landlord first.`,
  );
}
