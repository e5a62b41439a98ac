import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { skippedTest, type Test } from '@libs/testing';
import { cloneTo, describeRelease, madeOnce, makeRelease } from './release.fixture.js';

const NAMESPACE = 'landlord-release';
const SIGNER = 'maintainer@example.com';
/** Another machine: its time zone, its language, and who may read its files. */
const ELSEWHERE = { TZ: 'Asia/Kathmandu', LANG: 'C', LC_ALL: 'C' };
const UMASK = '077';
const PATIENCE_MS = 10 * 60_000;

const itOnDebian: Test =
  spawnSync('apt-get', ['--version']).status === 0
    ? (title, test) => it(title, test, PATIENCE_MS)
    : skippedTest('this machine has no apt, which an image needs', 'Run it on Debian');

describeRelease('The release of the same commit in another folder, with another umask and time zone', (release) => {
  const home = mkdtempSync(join(tmpdir(), 'landlord-elsewhere-'));
  const signers = join(home, 'signers');
  let folder: string;
  beforeAll(async () => {
    const key = newKey('key');
    writeFileSync(signers, `${SIGNER} ${readFileSync(`${key}.pub`, 'utf8')}`);
    const clone = join(home, 'in a longer path', 'clone');
    await cloneTo(clone, release.commit);
    folder = await makeRelease(clone, { env: { ...ELSEWHERE, RELEASE_SIGNING_KEY: key }, umask: UMASK });
  }, PATIENCE_MS);
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  const sums = (): string => readFileSync(join(folder, 'SHA256SUMS'), 'utf8');

  function newKey(name: string): string {
    const path = join(home, name);
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', path]);
    return path;
  }

  /** What the page about installation tells a person to run. */
  function verify(text: string, namespace = NAMESPACE): number | null {
    const signature = join(folder, 'SHA256SUMS.sig');
    const args = ['-Y', 'verify', '-f', signers, '-I', SIGNER, '-n', namespace, '-s', signature];
    return spawnSync('ssh-keygen', args, { input: text }).status;
  }

  it('has the same bytes', () => {
    expect(sums()).toBe(release.sums);
    expect(sums().trim().split('\n')).toHaveLength(5);
  });

  it('has the sums of its files', () => {
    const { status, stdout } = spawnSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' });

    expect([status, stdout.match(/: OK$/gm)?.length]).toEqual([0, 5]);
  });

  itOnDebian('has an image with the same bytes', async () => {
    const clone = join(home, 'another', 'clone');
    await cloneTo(clone, release.commit);
    const there = await makeRelease(clone, { only: 'image', env: ELSEWHERE, umask: UMASK });
    const here = await madeOnce(release.commit, 'image', (other) => makeRelease(other, { only: 'image' }));

    const sumsIn = (place: string): string => readFileSync(join(place, 'SHA256SUMS'), 'utf8');
    expect(sumsIn(there)).toBe(sumsIn(here));
    expect(sumsIn(there)).toMatch(/^[0-9a-f]{64} {2}\S+\.image\.tar$/m);
  });

  it('has a signature that ssh-keygen accepts, and refuses for changed sums, another use and another key', () => {
    expect(verify(sums())).toBe(0);
    expect(verify(sums().replace(/^./, (digit) => (digit === '0' ? '1' : '0')))).not.toBe(0);
    expect(verify(sums(), 'another-use')).not.toBe(0);
    const before = readFileSync(signers);
    writeFileSync(signers, `${SIGNER} ${readFileSync(`${newKey('other')}.pub`, 'utf8')}`);
    expect(verify(sums())).not.toBe(0);
    writeFileSync(signers, before);
  });
});

describeRelease('A release without a key', (release) => {
  it('has sums without a signature', () => {
    expect(release.path(/^SHA256SUMS/)).toBe(join(release.folder, 'SHA256SUMS'));
  });
});
