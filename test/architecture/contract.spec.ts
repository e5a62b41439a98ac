import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './sources/sources.js';

const CONTRACT = 'docs/contract';
/** All folders whose files may cite a rule. */
const CITING = ['apps', 'libs', 'packages', 'test', 'scripts', 'docs', 'contract', 'README.md'];
const TEXT = /\.(ts|mts|mjs|js|cjs|md|sql|sh|yml|yaml|txt|json)$/;
const BUILT = /(^|\/)(node_modules|dist)\//;
/** The API descriptions: their readers do not have the contract. */
const API_DESCRIPTION = /^contract\/openapi\..*\.json$/;

const RULE = /^\*\*C-(\d+)\.(\d+)\*\* (~~)?[A-Z`]/;
const CITATION = /\bC-\d+\.\d+\b/g;
/** Citations of documents that are not in this repository. */
const OUTSIDE = [
  /\b[Ss]pec, ["“]/,
  /[\w`] \(spec\)(?! =>)/,
  /\b[Ff]ills,? (\d|["“])/,
  /\bfills\.md|[`]fills[`]|\b(the|of) fills\b/,
  /\bapi\.md\b/,
];

interface Rule {
  id: string;
  isStruckOut: boolean;
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const chapters = readdirSync(join(ROOT, CONTRACT)).filter((name) => name.endsWith('.md') && name !== 'README.md');
const rules = chapters.flatMap((chapter) => rulesOf(chapter));
const sources = CITING.flatMap((path) => filesUnder(path));

describe('an audit', () => {
  it.each([
    ['main', ['main-api']],
    ['supervisor', ['supervisor', 'supervisor-nodes']],
  ])('of %s has a test for each row', (audit, tests) => {
    const rows = [...read(`${CONTRACT}/audits/${audit}.md`).matchAll(/^\| (\w?\d+) \|/gm)].map(([, id]) => id);
    const titles = tests.flatMap((test) => [
      ...read(`test/contract/${test}.contract.ts`).matchAll(/\brow\(\s*'([\w, ]+)'/g),
    ]);
    const played = new Set(titles.flatMap(([, ids = '']) => ids.split(', ')));

    expect(rows.length).toBeGreaterThan(20);
    expect(rows.filter((id) => !played.has(id ?? ''))).toEqual([]);
  });
});

describe('the contract', () => {
  it.each(chapters)('%s starts with its number and contains only rules', (chapter) => {
    expect(chapter).toMatch(/^\d\d-[a-z-]+\.md$/);
    const number = Number.parseInt(chapter, 10);
    const [title, ...paragraphs] = read(`${CONTRACT}/${chapter}`).trim().split(/\n\n+/);

    expect(title).toMatch(new RegExp(`^# ${number}\\. `));
    expect(paragraphs.length).toBeGreaterThan(0);
    expect(paragraphs.filter((paragraph) => !RULE.test(paragraph))).toEqual([]);
  });

  it.each(chapters)('%s numbers its rules from 1 without gaps', (chapter) => {
    const number = Number.parseInt(chapter, 10);
    const ids = rulesOf(chapter).map(({ id }) => id);

    expect(ids).toEqual(ids.map((_, index) => `C-${number}.${index + 1}`));
  });

  it('uses each id once', () => {
    const ids = rules.map(({ id }) => id);

    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('lists exactly its chapters in its index', () => {
    const listed = [...read(`${CONTRACT}/README.md`).matchAll(/\| (\d+) \| \[[^\]]+\]\(([^)]+)\) \|/g)];

    expect(listed.map(([, , file]) => file)).toEqual([...chapters].sort());
    expect(listed.map(([, number, file]) => number === String(Number.parseInt(file ?? '', 10)))).not.toContain(false);
  });
});

describe('a citation', () => {
  it('names an existing rule that is not struck out', () => {
    const standing = new Set(rules.filter(({ isStruckOut }) => !isStruckOut).map(({ id }) => id));
    const cited = places(sources, CITATION);

    expect(cited.length).toBeGreaterThan(100);
    expect(cited.filter(({ found }) => !standing.has(found))).toEqual([]);
  });

  it('names only documents in this repository', () => {
    expect(OUTSIDE.flatMap((way) => places(sources, new RegExp(way, 'g')))).toEqual([]);
  });

  it('is not part of the API descriptions', () => {
    const descriptions = sources.filter((path) => API_DESCRIPTION.test(path));

    expect(descriptions).toHaveLength(2);
    expect(places(descriptions, CITATION)).toEqual([]);
  });
});

function rulesOf(chapter: string): Rule[] {
  return read(`${CONTRACT}/${chapter}`)
    .split('\n')
    .map((line) => RULE.exec(line))
    .filter((match) => match !== null)
    .map(([, number, rule, struck]) => ({ id: `C-${number}.${rule}`, isStruckOut: struck !== undefined }));
}

/** Text files below a folder, or the file itself. */
function filesUnder(path: string): string[] {
  if (!existsSync(join(ROOT, path)) || statSync(join(ROOT, path)).isFile()) return [path];
  return readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' })
    .map((name) => `${path}/${name}`.replaceAll('\\', '/'))
    .filter((file) => TEXT.test(file) && !BUILT.test(file) && statSync(join(ROOT, file)).isFile());
}

function places(files: readonly string[], wanted: RegExp): { place: string; found: string }[] {
  return files.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, index) =>
        [...line.matchAll(wanted)].map(([found]) => ({ place: `${file}:${index + 1}`, found })),
      ),
  );
}
