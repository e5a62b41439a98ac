import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * The newest release before HEAD: the nearest earlier tag `v*`, else the previous commit. Null if git has neither: in a
 * tarball, or in a clone with one commit.
 */
export function previousRelease(root = ROOT) {
  if (commitOf('HEAD~1', root) === null) return null;
  return git(['describe', '--tags', '--match', 'v*', '--abbrev=0', 'HEAD~1'], root) ?? 'HEAD~1';
}

/** The full id of the commit, or null if it does not exist. */
export function commitOf(ref, root = ROOT) {
  return git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`], root);
}

/** The file in this commit, or null if it did not exist. */
export function fileAt(ref, path, root = ROOT) {
  return git(['show', `${ref}:${path}`], root);
}

function git(args, root) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
  return status === 0 ? stdout.trimEnd() : null;
}
