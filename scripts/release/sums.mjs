// SHA256SUMS of a release, and its signature.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReleaseRefused } from './release-facts.mjs';

const SUMS = 'SHA256SUMS';
/** What the signature is for (ssh-keygen -n), so that no signature of the same key for another use counts. */
const NAMESPACE = 'landlord-release';

/** Writes the sums of all files in the folder. `key`: the path of a private key of ssh-keygen, or undefined. Throws ReleaseRefused. */
export function writeSums(folder, key) {
  const lines = readdirSync(folder)
    .filter((name) => !name.startsWith(SUMS))
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    );
  writeFileSync(join(folder, SUMS), lines.join(''));
  if (key === undefined) return;
  const { status, error, stderr } = spawnSync(
    'ssh-keygen',
    ['-Y', 'sign', '-f', key, '-n', NAMESPACE, join(folder, SUMS)],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  if (status !== 0)
    throw new ReleaseRefused(
      `ssh-keygen cannot sign with ${key}: ${(error?.message ?? stderr).trim()}. Set RELEASE_SIGNING_KEY to a private key.`,
    );
}
