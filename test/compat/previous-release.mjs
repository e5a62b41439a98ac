import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** The subject of the commit of a release. Tags are not kept everywhere. */
const SUBJECT = '^Release [0-9][0-9.]*$';

/** The newest release before HEAD, or else the previous commit. Null if git has neither: in a tarball, or in a clone with one commit. */
export function previousRelease(root = ROOT) {
  return releaseBefore(root) ?? (commitOf('HEAD~1', root) && 'HEAD~1');
}

/** The newest release before HEAD: the nearest earlier tag `v*` or commit `Release <version>`. Null if git has none. */
export function releaseBefore(root = ROOT) {
  if (commitOf('HEAD~1', root) === null) return null;
  const tag = git(['describe', '--tags', '--match', 'v*', '--abbrev=0', 'HEAD~1'], root);
  const commit = git(['log', '-1', '--format=%H', '--extended-regexp', `--grep=${SUBJECT}`, 'HEAD~1'], root) || null;
  const isNewer = tag !== null && commit !== null && git(['merge-base', '--is-ancestor', tag, commit], root) !== null;
  return tag === null || (isNewer && commitOf(tag, root) !== commit) ? commit : tag;
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
