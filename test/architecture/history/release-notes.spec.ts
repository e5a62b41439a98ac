import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../sources/sources.js';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe('The changelog', () => {
  it('has the changes of the next release first, and then one section for each release, the newest first', () => {
    const headings = [...read('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading ?? '');
    const [first, ...rest] = headings;
    const dates = rest.map((heading) => /^\d+\.\d+\.\d+\S* - (\d{4}-\d{2}-\d{2})$/.exec(heading)?.[1]);

    expect(first).toBe('Unreleased');
    expect(dates).not.toContain(undefined);
    expect(dates).toEqual([...dates].sort().reverse());
  });
});

describe('The notes of a release', () => {
  const folder = mkdtempSync(join(tmpdir(), 'landlord-notes-'));
  beforeAll(() => {
    for (const path of ['scripts/release/notes.mjs', 'scripts/build-stamp.mjs'])
      cpSync(join(ROOT, path), join(folder, path));
    mkdirSync(join(folder, 'docs'));
    writeFileSync(join(folder, 'package.json'), '{ "version": "1.2.3" }');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function notes(tag: string, changelog: string): { status: number | null; stdout: string; stderr: string } {
    writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
    return spawnSync(process.execPath, ['scripts/release/notes.mjs', tag], { cwd: folder, encoding: 'utf8' });
  }

  it('are the section of the version, and nothing of another release', () => {
    const changelog =
      '# C\n\n## Unreleased\n\nnew\n\n## 1.2.3 - 2027-01-02\n\n### Added\n\n- it\n\n## 1.2.2 - 2026-01-02\n\nold\n';

    expect(notes('v1.2.3', changelog)).toMatchObject({ status: 0, stdout: '### Added\n\n- it\n' });
  });

  it.each([
    [
      'another tag',
      'v1.2.4',
      '## 1.2.3 - 2027-01-02\n\nit\n',
      'The tag is "v1.2.4", and the version of package.json is 1.2.3.',
    ],
    [
      'a changelog without the version',
      'v1.2.3',
      '## Unreleased\n\nit\n',
      'CHANGELOG.md has no section "## 1.2.3 - <date>"',
    ],
    ['an empty section', 'v1.2.3', '## 1.2.3 - 2027-01-02\n\n## 1.2.2 - 2026-01-02\n\nold\n', 'or it is empty'],
  ])('are refused for %s', (_, tag, changelog, sentence) => {
    expect(notes(tag, changelog)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(sentence) });
  });
});

interface Step {
  uses?: string;
  run?: string;
}

describe('The workflow of a release', () => {
  const text = read('.github/workflows/release.yml');
  const { on, jobs } = parse(text) as { on: object; jobs: { release: { steps: Step[] } } };
  const { steps } = jobs.release;

  it('runs for tags of versions only, with actions of the forge only', () => {
    expect(on).toEqual({ push: { tags: ['v*'] } });
    const actions = steps.flatMap(({ uses }) => (uses === undefined ? [] : [uses.replace(/@v\d+$/, '')]));
    expect(actions).toEqual(['actions/checkout', 'actions/setup-node']);
  });

  it('runs scripts that exist, and puts no text of a tag or a secret into a script', () => {
    const runs = steps.flatMap(({ run }) => run ?? []);
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const names = runs.flatMap((run) => [...run.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name ?? ''));
    const files = runs.flatMap((run) => [...run.matchAll(/node (scripts\/\S+)/g)].map(([, file]) => file ?? ''));

    expect([names, files.length]).toEqual([['release'], 1]);
    expect(names.filter((name) => !(name in scripts))).toEqual([]);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    expect(runs.filter((run) => run.includes('${{'))).toEqual([]);
  });
});
