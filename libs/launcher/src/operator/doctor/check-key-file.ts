import { existsSync, statSync } from 'node:fs';
import { fail, ok, type Finding } from '@libs/operator';
import type { LauncherConfig } from '../../config.js';
import { secretKeysPath } from '../../files/secret-keys.js';

const CHECK = 'key file';

/** Checks that the key file exists and that only its owner can read it. */
export function checkKeyFile(config: LauncherConfig): Finding {
  if (config.secretKeys !== null) return ok(CHECK, 'none: the keys come by LANDLORD_SECRET_KEYS');
  const file = secretKeysPath(config);
  if (!existsSync(file))
    return fail(
      CHECK,
      `${file} does not exist`,
      'Put it back from where you keep it. A new one opens no stored secret.',
    );
  const mode = statSync(file).mode & 0o777;
  if ((mode & 0o077) === 0) return ok(CHECK, `${file}, mode 0${mode.toString(8)}`);
  return fail(CHECK, `${file} has mode 0${mode.toString(8)}: others may read it`, `Run: chmod 600 ${file}`);
}
