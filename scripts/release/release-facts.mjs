// What is the same in all parts of a release: the version, the commit, the scope of the packages and the time of the commit.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../build-stamp.mjs';

/** A release cannot be made. The message says why, and what to do. */
export class ReleaseRefused extends Error {
  name = 'ReleaseRefused';
}

/** Throws ReleaseRefused when the checkout has changes, because a release names its commit. */
export function releaseFacts() {
  const { version, license } = readJson('package.json');
  const { scope } = readJson('scripts/release/scope.json');
  if (git('status', '--porcelain') !== '')
    throw new ReleaseRefused(
      'The checkout has changes that are in no commit. Commit them, or remove them: a release names its commit.',
    );
  const commit = git('rev-parse', '--short=12', 'HEAD');
  return { version, license, scope, commit, time: Number(git('log', '-1', '--format=%ct')) };
}

const readJson = (path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

function git(...args) {
  try {
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  } catch (error) {
    throw new ReleaseRefused(
      `git ${args[0]} failed: ${String(error.stderr ?? error.message).trim()}. Make a release in a clone.`,
    );
  }
}
