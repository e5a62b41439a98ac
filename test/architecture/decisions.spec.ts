import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { anchorsOf } from './sources/markdown.js';
import { codeReadmes, ROOT } from './sources/sources.js';

const FOLDER = 'docs/decisions';
const STATUSES = ['accepted', 'proposed', 'superseded'];
const SECTIONS = ['Context', 'Choice', 'Alternatives', 'Consequences'];

/** A record: a file of its own, or a section of the README beside the code that it is about. */
interface DecisionRecord {
  number: string;
  /** Where the index links to. */
  link: string;
  text: string;
  /** The depth of its title. */
  depth: number;
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const index = read(`${FOLDER}/README.md`);
const files = readdirSync(join(ROOT, FOLDER)).filter((name) => !['README.md', 'TEMPLATE.md'].includes(name));
const records = [...files.map(recordOfFile), ...codeReadmes().flatMap(recordsBesideCode)].sort((one, other) =>
  one.number.localeCompare(other.number),
);
const byNumber = new Map(records.map((record) => [record.number, record]));

describe('decision records', () => {
  it('have numbers without gaps and without repeats', () => {
    const numbers = records.map(({ number }) => Number(number));

    expect(numbers).toEqual(numbers.map((_, position) => position + 1));
  });

  it('are also beside the code', () => {
    expect(records.length).toBeGreaterThan(files.length);
  });

  it.each(files)('%s has the number of its title', (name) => {
    expect(name).toMatch(new RegExp(`^${headerOf(recordOfFile(name)).number}-[a-z0-9-]+\\.md$`));
  });

  it.each(records)('$number has number, title, date and status', (record) => {
    const { number, title, date, status } = headerOf(record);

    expect(number).toBe(record.number);
    expect(title).toBeTruthy();
    expect(new Date(`${date}T00:00:00Z`).toISOString()).toMatch(date ?? 'no date');
    expect(STATUSES).toContain(status);
  });

  it.each([...records, template()])('$number has the four sections in order, each with text', ({ text, depth }) => {
    const sections = text.split(new RegExp(`^${'#'.repeat(depth + 1)} `, 'm')).slice(1);
    const empty = sections.filter((section) => !/^.+\n\n\S/.test(section));

    expect(sections.map((section) => section.split('\n')[0])).toEqual(SECTIONS);
    expect(empty).toEqual([]);
  });

  it('are in the index with the same number, title, date and status', () => {
    const rows = [...index.matchAll(/^\| \[\d{4}\].*$/gm)].map(([row]) => row);

    expect(rows).toEqual(records.map(indexRow));
  });

  it('name the newer record that changes them', () => {
    const silent = records.flatMap((record) => {
      const [, changes = ''] = /\bChanges ([\s\S]*?)\.\n/.exec(headOf(record)) ?? [];
      return [...changes.matchAll(/\[(\d{4})\]/g)]
        .map(([, number = '']) => byNumber.get(number))
        .filter((older) => !older || !headOf(older).includes(`[${record.number}](`))
        .map((older) => `${older?.number}: ${record.number}`);
    });

    expect(silent).toEqual([]);
  });

  it('have a template with the same header', () => {
    expect(template().text).toMatch(/^# NNNN: .+\n\nDate: YYYY-MM-DD\. Status: [a-z]+\.\n/);
  });
});

function recordOfFile(name: string): DecisionRecord {
  return { number: name.slice(0, 4), link: name, text: read(`${FOLDER}/${name}`), depth: 1 };
}

function template(): DecisionRecord {
  return { ...recordOfFile('TEMPLATE.md'), number: 'TEMPLATE' };
}

function recordsBesideCode(path: string): DecisionRecord[] {
  const readme = read(path);
  const sections = readme.split(/^(?=## )/m).filter((section) => /^## \d{4}: /.test(section));
  return sections.map((text) => {
    const number = text.slice('## '.length, '## 0000'.length);
    const anchor = anchorsOf(readme).find((name) => name.startsWith(`${number}-`));
    return { number, link: `../../${path}#${anchor}`, text, depth: 2 };
  });
}

interface Header {
  number: string | undefined;
  title: string | undefined;
  date: string | undefined;
  status: string | undefined;
}

function headerOf({ text }: DecisionRecord): Header {
  const [, number, title, date, status] =
    /^#+ (\d{4}): (.+)\n\nDate: (\d{4}-\d{2}-\d{2})\. Status: ([a-z]+)[. ]/.exec(text) ?? [];
  return { number, title, date, status };
}

/** The title and the first paragraph. */
const headOf = ({ text }: DecisionRecord): string => `${text.split('\n\n').slice(0, 2).join('\n\n')}\n`;

function indexRow(record: DecisionRecord): string {
  const { number, title, date, status } = headerOf(record);
  return `| [${number}](${record.link}) | ${title} | ${date} | ${status} |`;
}
