import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commitOf, fileAt, previousRelease, releaseBefore } from '../../compat/previous-release.mjs';

describe('the previous release', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'landlord-release-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('is the newest tag v* that is an ancestor of HEAD', () => {
    git('init', '--quiet');
    commit('one', 'v0.9.0');
    commit('two', 'v0.10.0');
    commit('three', 'nightly');
    commit('four');

    expect(previousRelease(root)).toBe('v0.10.0');
    expect(fileAt('v0.10.0', 'list.txt', root)).toBe('two');
    expect(fileAt('v0.10.0', 'other.txt', root)).toBeNull();
  });

  it('is the newest commit Release <version> before HEAD, if no tag is as new', () => {
    git('init', '--quiet');
    commit('Release 0.9.0', 'v0.9.0');
    commit('Release 0.10.0');
    commit('Release the lock');
    commit('two');
    commit('Release 0.11.0');

    expect(fileAt(releaseBefore(root) ?? '', 'list.txt', root)).toBe('Release 0.10.0');
    expect(previousRelease(root)).toBe(releaseBefore(root));

    commit('three', 'v0.12.0');
    commit('four');

    expect(releaseBefore(root)).toBe('v0.12.0');
  });

  it('is the commit before HEAD without a release', () => {
    git('init', '--quiet');
    commit('one');
    commit('two');

    expect(previousRelease(root)).toBe('HEAD~1');
    expect(releaseBefore(root)).toBeNull();
    expect(commitOf('HEAD~1', root)).toMatch(/^[0-9a-f]{40}$/);
    expect(commitOf('--all', root)).toBeNull();
  });

  it('is unknown in a clone of one commit, and outside a git repository', () => {
    expect(previousRelease(root)).toBeNull();

    git('init', '--quiet');
    commit('one');

    expect(previousRelease(root)).toBeNull();
  });

  it('is never the tag of HEAD itself', () => {
    git('init', '--quiet');
    commit('one', 'v1.0.0');
    commit('two', 'v1.1.0');

    expect(previousRelease(root)).toBe('v1.0.0');
  });

  function git(...args: string[]): void {
    const quiet = ['-c', 'user.name=t', '-c', 'user.email=t@example.test', '-c', 'commit.gpgsign=false'];
    execFileSync('git', [...quiet, ...args], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
  }

  function commit(text: string, tag?: string): void {
    writeFileSync(join(root, 'list.txt'), `${text}\n`);
    git('add', '.');
    git('commit', '--quiet', '-m', text);
    if (tag !== undefined) git('-c', 'tag.gpgsign=false', 'tag', tag);
  }
});
