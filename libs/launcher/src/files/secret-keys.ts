import { hkdfSync, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { SECRET_KEYS } from '@libs/domain/settings';
import { StartRefused, withFiles } from '@libs/domain/starts';
import type { LauncherConfig } from '../config.js';
import { LauncherError } from '../launcher-error.js';
import { readFileIfAnySync, writePrivateFileSync } from '@libs/host/os';

type KeySettings = Pick<LauncherConfig, 'dataDir' | 'secretKeys' | 'secretKeysFile'>;

export interface SecretKeys {
  /** The key file that the apps read. They never get a key by environment or argument. */
  file: string;
  /** The keys, `id:base64,…`. */
  keys: string;
  /** The file or the variable that contains them, for messages. */
  source: string;
  /** 32 bytes for the passwords of the database roles, derived from the encrypting key. */
  roleKey: Buffer;
  /** Deletes the file if it exists only because the keys came from the environment. */
  forget(): void;
}

/**
 * The keys that encrypt stored secrets: from the environment, or from a file. Null when the file does not exist: either this is the
 * first start, or all stored secrets are lost with it. Creates no key. Throws StartRefused when the file contains no keys.
 */
export function findSecretKeys(config: KeySettings): SecretKeys | null {
  const keys = lookUpSecretKeys(config);
  if (keys === null || config.secretKeys === null) return keys && { ...keys, forget: () => undefined };
  writePrivateFileSync(keys.file, `${config.secretKeys}\n`);
  return { ...keys, forget: () => rmSync(keys.file, { force: true }) };
}

/** The same keys. Writes no file, so the apps of a running Landlord are not concerned. */
export function lookUpSecretKeys(config: KeySettings): Omit<SecretKeys, 'forget'> | null {
  const givenFile = join(config.dataDir, 'secret-keys.given');
  if (config.secretKeys !== null) return { ...parsed(config.secretKeys, givenFile), source: 'LANDLORD_SECRET_KEYS' };
  const file = secretKeysPath(config);
  const keys = withFiles(file, () => readFileIfAnySync(file));
  return keys === null ? null : { ...parsed(keys, file), source: file };
}

/**
 * Generates the first key into the file of LANDLORD_SECRET_KEYS_FILE, or `<data dir>/secret-keys` (0600). Only for a database without
 * an installation. Throws StartRefused when the file cannot be written.
 */
export function createSecretKeys(config: KeySettings): SecretKeys {
  const file = secretKeysPath(config);
  const keys = `k1:${randomBytes(32).toString('base64')}`;
  withFiles(file, () => writePrivateFileSync(file, `${keys}\n`));
  return { ...parsed(keys, file), source: file, forget: () => undefined };
}

/** Reads the keys from the same places without creating any. Throws LauncherError when there are none. */
export function readSecretKeys(config: KeySettings): string {
  const file = secretKeysPath(config);
  const keys = config.secretKeys ?? readFileIfAnySync(file);
  if (keys !== null) return keys;
  throw new LauncherError(`The secret keys are missing: ${file} does not exist, and LANDLORD_SECRET_KEYS is not set.`);
}

/** The path of the key file when the keys are not in the environment. */
export function secretKeysPath({
  dataDir,
  secretKeysFile,
}: Pick<LauncherConfig, 'dataDir' | 'secretKeysFile'>): string {
  return secretKeysFile ?? join(dataDir, 'secret-keys');
}

function parsed(keys: string, file: string): Pick<SecretKeys, 'file' | 'keys' | 'roleKey'> {
  if (!SECRET_KEYS.test(keys)) throw StartRefused.because('keys_malformed', { file });
  const first = Buffer.from(keys.split(',')[0]?.split(':')[1] ?? '', 'base64');
  return { file, keys, roleKey: Buffer.from(hkdfSync('sha256', first, '', 'landlord database roles', 32)) };
}
