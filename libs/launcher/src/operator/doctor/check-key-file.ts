import { existsSync, statSync } from 'node:fs';
import { fail, ok, type Finding } from '@libs/operator';
import type { LauncherConfig } from '../../config.js';
import { secretKeysPath } from '../../files/secret-keys.js';

const CHECK = 'key file';

/** Checks that the key file exists and that only its owner can read it. */
export function checkKeyFile(config: LauncherConfig): Finding {
  if (config.secretKeys !== null) return ok(CHECK, 'none; LANDLORD_SECRET_KEYS contains the keys');
  const file = secretKeysPath(config);
  if (!existsSync(file))
    return fail(
      CHECK,
      `${file} does not exist`,
      'Restore the file from your copy. A new key file cannot decrypt the stored secrets.',
    );
  const mode = statSync(file).mode & 0o777;
  if ((mode & 0o077) === 0) return ok(CHECK, `${file}, mode 0${mode.toString(8)}`);
  return fail(CHECK, `${file} has mode 0${mode.toString(8)}: other users can read it`, `Run: chmod 600 ${file}`);
}
