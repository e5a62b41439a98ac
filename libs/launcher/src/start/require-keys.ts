import { StartRefused } from '@libs/domain/starts';
import { checkStoredSecrets, keyIdsInUse, withDatabase } from '@libs/persistence/migrations';
import type { LauncherConfig } from '../config.js';
import {
  createSecretKeys,
  findSecretKeys,
  lookUpSecretKeys,
  secretKeysPath,
  type SecretKeys,
} from '../files/secret-keys.js';

/**
 * The keys of the installation in this database. Creates the first key only for a database without an installation: a new key
 * would open none of its secrets. Passes warnings to `warn`.
 * @throws StartRefused when the keys are missing or wrong
 */
export async function requireKeys(
  config: LauncherConfig,
  database: { url: string; hasInstallation: boolean },
  warn: (text: string) => void,
): Promise<SecretKeys> {
  if (database.hasInstallation) await checkKeys(config, database.url, warn);
  return findSecretKeys(config) ?? createSecretKeys(config);
}

/** Checks that the keys of an installation open its stored secrets. Writes no file. Passes warnings to `warn`. @throws StartRefused */
export async function checkKeys(
  config: LauncherConfig,
  databaseUrl: string,
  warn: (text: string) => void,
): Promise<void> {
  const keys = lookUpSecretKeys(config);
  if (keys === null) throw await lostKeys(config, databaseUrl);
  for (const warning of await checkStoredSecrets(databaseUrl, keys)) warn(warning);
}

async function lostKeys(config: LauncherConfig, databaseUrl: string): Promise<StartRefused> {
  const ids = await withDatabase(databaseUrl, keyIdsInUse);
  const use = ids.length > 0 ? `, and the stored secrets use the key ${ids.join(', ')}` : '';
  return StartRefused.because('keys_missing', { file: secretKeysPath(config), use });
}
