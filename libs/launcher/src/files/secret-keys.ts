import { hkdfSync, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { LauncherConfig } from '../config.js';
import { LauncherError } from '../launcher-error.js';
import { readFileIfAny, writePrivateFile } from './private-file.js';

export interface SecretKeys {
  /** The key file that the apps read. They never get a key by environment or argument. */
  file: string;
  /** 32 bytes for the passwords of the database roles, derived from the encrypting key. */
  roleKey: Buffer;
  /** Deletes the file if it exists only because the keys came from the environment. */
  forget(): void;
}

/**
 * The keys that encrypt stored secrets: from the environment, from a file, or generated at the first local start into `<data
 * dir>/secret-keys` (0600). If that file is lost, all stored secrets are lost. Throws LauncherError when a file is missing or
 * contains no keys.
 */
export function ensureSecretKeys(
  config: Pick<LauncherConfig, 'dataDir' | 'secretKeys' | 'secretKeysFile'>,
): SecretKeys {
  if (config.secretKeys !== null) {
    const file = join(config.dataDir, 'secret-keys.given');
    writePrivateFile(file, `${config.secretKeys}\n`);
    return { file, roleKey: roleKeyOf(config.secretKeys, file), forget: () => rmSync(file, { force: true }) };
  }
  const own = join(config.dataDir, 'secret-keys');
  const file = config.secretKeysFile ?? own;
  if (file === own && readFileIfAny(own) === null) writePrivateFile(own, `k1:${randomBytes(32).toString('base64')}\n`);
  return { file, roleKey: roleKeyOf(readFileIfAny(file) ?? '', file), forget: () => undefined };
}

/** Reads the keys from the same places without creating any. Throws LauncherError when there are none. */
export function readSecretKeys(config: Pick<LauncherConfig, 'dataDir' | 'secretKeys' | 'secretKeysFile'>): string {
  const file = secretKeysPath(config);
  const keys = config.secretKeys ?? readFileIfAny(file);
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

function roleKeyOf(keys: string, file: string): Buffer {
  const first = Buffer.from(/^[\w-]+:([A-Za-z0-9+/]{43}=)/.exec(keys)?.[1] ?? '', 'base64');
  if (first.length !== 32) throw new LauncherError(`${file} contains no keys of the form <id>:<base64 of 32 bytes>.`);
  return Buffer.from(hkdfSync('sha256', first, '', 'landlord database roles', 32));
}
