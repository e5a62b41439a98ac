import { StartRefused } from '@libs/domain/starts';
import { checkStoredSecrets, keyIdsInUse, withDatabase } from '@libs/persistence/migrations';
import type { LauncherConfig } from '../config.js';
import { createSecretKeys, findSecretKeys, secretKeysPath, type SecretKeys } from '../files/secret-keys.js';

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
  const keys = findSecretKeys(config);
  if (!database.hasInstallation) return keys ?? createSecretKeys(config);
  if (keys === null) throw await lostKeys(config, database.url);
  try {
    for (const warning of await checkStoredSecrets(database.url, keys)) warn(warning);
    return keys;
  } catch (error) {
    keys.forget();
    throw error;
  }
}

async function lostKeys(config: LauncherConfig, databaseUrl: string): Promise<StartRefused> {
  const ids = await withDatabase(databaseUrl, keyIdsInUse);
  const use = ids.length > 0 ? `, and the stored secrets use the key ${ids.join(', ')}` : '';
  return StartRefused.because('keys_missing', { file: secretKeysPath(config), use });
}
