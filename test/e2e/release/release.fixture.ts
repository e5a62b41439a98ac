import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { skippedSuite, type Suite } from '@libs/testing';
import { DIST } from '../../../scripts/build-stamp.mjs';
import { withLock } from '../../../scripts/build-lock.mjs';
import { commitOf, releaseBefore } from '../../compat/previous-release.mjs';

export const ROOT = join(import.meta.dirname, '../../..');
const run = promisify(execFile);
/** In the checkout, because packages can be hard links only on the same file system. */
const CACHE = join(ROOT, '.landlord/test-releases');
const ONLY = 'server,cli,chart';
const LOCK_FILE = 'package-lock.json';
/** The commits whose releases stay for the next run. */
const KEPT = [commitOf('HEAD'), commitOf(releaseBefore() ?? 'HEAD')];

/** The files that `npm run release` makes of the last commit. */
export class TestRelease {
  private constructor(
    readonly commit: string,
    readonly folder: string,
  ) {}

  /** Makes the release in a clone, once for a commit. */
  static async ofCommit(commit: string): Promise<TestRelease> {
    return new TestRelease(commit, await madeOnce(commit, 'packages', (clone) => makeRelease(clone)));
  }

  /** The path of the only file whose name has this form. */
  path(form: RegExp): string {
    const names = readdirSync(this.folder).filter((name) => form.test(name));
    expect([form, names]).toEqual([form, [expect.any(String)]]);
    return join(this.folder, names[0] ?? '');
  }

  get server(): string {
    return this.path(/-server-.*\.tgz$/);
  }

  get client(): string {
    return this.path(/-cli-.*\.tgz$/);
  }

  get sums(): string {
    return readFileSync(join(this.folder, 'SHA256SUMS'), 'utf8');
  }
}

/** The folder of a release of this commit, which `make` returns. It is made in a clone, once for a commit and a name. */
export async function madeOnce(
  commit: string,
  name: string,
  make: (clone: string) => Promise<string>,
): Promise<string> {
  const folder = join(CACHE, `${name}-${commit}`);
  await withLock(join(CACHE, '.lock'), async () => {
    if (existsSync(folder)) return;
    rmFolders(
      CACHE,
      (other) => !KEPT.some((one) => one !== null && other.endsWith(`-${one}`)) || other.startsWith('clone-'),
    );
    const clone = join(CACHE, `clone-${commit}`);
    await cloneTo(clone, commit);
    // The release builds it again unless it is of the same sources. The proof of equal bytes builds elsewhere.
    if (existsSync(DIST)) cpSync(DIST, join(clone, 'dist'), { recursive: true });
    renameSync(await make(clone), folder);
    rmSync(clone, { recursive: true, force: true });
  });
  return folder;
}

/** Clones the commit into a folder that does not exist, with the packages of the checkout. */
export async function cloneTo(folder: string, commit: string): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true });
  await run('git', ['clone', '--quiet', '--no-checkout', ROOT, folder]);
  await run('git', ['checkout', '--quiet', '--detach', commit], { cwd: folder });
  const lockOf = (root: string): string => readFileSync(join(root, LOCK_FILE), 'utf8');
  if (lockOf(folder) !== lockOf(ROOT)) await run('npm', ['ci', '--ignore-scripts', '--no-audit'], { cwd: folder });
  else await linkPackages(folder);
}

/** Hard links: they take seconds and no space. A symbolic link would lead the clone to the sources of the checkout. */
async function linkPackages(folder: string): Promise<void> {
  const [from, to] = [join(ROOT, 'node_modules'), join(folder, 'node_modules')];
  try {
    await run('cp', ['-al', from, to]);
  } catch {
    rmSync(to, { recursive: true, force: true });
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  }
}

interface ReleaseOptions {
  only?: string;
  /** More of the environment, which is otherwise bare. */
  env?: Record<string, string>;
  umask?: string;
}

/** `npm run release` in a clone. Returns the folder with the files. */
export async function makeRelease(
  clone: string,
  { only = ONLY, env = {}, umask = '022' }: ReleaseOptions = {},
): Promise<string> {
  const { PATH = '', HOME = '' } = process.env;
  const line = `umask ${umask} && exec node scripts/release/release.mjs --only ${only}`;
  await run('sh', ['-c', line], { cwd: clone, env: { PATH, HOME, ...env } });
  const folders = readdirSync(join(clone, 'release'));
  expect(folders).toHaveLength(1);
  return join(clone, 'release', folders[0] ?? '');
}

function rmFolders(folder: string, isOld: (name: string) => boolean): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory() && isOld(entry.name)) rmSync(join(folder, entry.name), { recursive: true, force: true });
}

const commit = commitOf('HEAD');
if (commit !== null && (await run('git', ['status', '--porcelain'], { cwd: ROOT })).stdout !== '')
  console.warn(`The checkout has changes that are in no commit. The tests are about the release of ${commit}.`);

/** A suite about the release of the last commit. */
export const describeRelease: (name: string, tests: (release: TestRelease) => void) => void = await suiteOf(commit);

async function suiteOf(head: string | null): Promise<typeof describeRelease> {
  if (head === null) {
    const skipped: Suite = skippedSuite('git has no commit, and a release names its commit', 'Run them in a clone');
    return (name) => skipped(name, () => undefined);
  }
  const release = await TestRelease.ofCommit(head);
  return (name, tests) => describe(name, () => tests(release));
}
