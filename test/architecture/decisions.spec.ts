import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './sources/sources.js';

const FOLDER = 'docs/decisions';
const STATUSES = ['accepted', 'proposed', 'superseded'];
const SECTIONS = ['Context', 'Choice', 'Alternatives', 'Consequences'];

const read = (name: string): string => readFileSync(join(ROOT, FOLDER, name), 'utf8');
const names = readdirSync(join(ROOT, FOLDER)).sort();
const records = names.filter((name) => !['README.md', 'TEMPLATE.md'].includes(name));

describe('decision records', () => {
  it('have numbers without gaps and without repeats', () => {
    const numbers = records.map((name) => Number(name.slice(0, 4)));

    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });

  it.each(records)('%s has number, title, date and status', (name) => {
    const { number, title, date, status } = headerOf(name);

    expect(name).toMatch(new RegExp(`^${number}-[a-z0-9-]+\\.md$`));
    expect(title).toBeTruthy();
    expect(new Date(`${date}T00:00:00Z`).toISOString()).toMatch(date ?? 'no date');
    expect(STATUSES).toContain(status);
  });

  it.each([...records, 'TEMPLATE.md'])('%s has the four sections in order, each with text', (name) => {
    const sections = read(name).split(/^## /m).slice(1);
    const empty = sections.filter((section) => !/^.+\n\n\S/.test(section));

    expect(sections.map((section) => section.split('\n')[0])).toEqual(SECTIONS);
    expect(empty).toEqual([]);
  });

  it('are in the index with the same number, title, date and status', () => {
    const rows = [...read('README.md').matchAll(/^\| \[\d{4}\].*$/gm)].map(([row]) => row);

    expect(rows).toEqual(records.map(indexRow));
  });

  it('name the newer record that changes them', () => {
    const silent = records.flatMap((name) => {
      const [, changes = ''] = /\bChanges ([\s\S]*?)\.\n/.exec(headOf(name)) ?? [];
      const older = [...changes.matchAll(/\]\((\d{4}[^)]*)\)/g)].map(([, file]) => file ?? '');
      return older.filter((file) => !headOf(file).includes(`](${name})`)).map((file) => `${file}: ${name}`);
    });

    expect(silent).toEqual([]);
  });

  it('have a template with the same header', () => {
    expect(read('TEMPLATE.md')).toMatch(/^# NNNN: .+\n\nDate: YYYY-MM-DD\. Status: [a-z]+\.\n/);
  });
});

interface Header {
  number: string | undefined;
  title: string | undefined;
  date: string | undefined;
  status: string | undefined;
}

function headerOf(name: string): Header {
  const [, number, title, date, status] =
    /^# (\d{4}): (.+)\n\nDate: (\d{4}-\d{2}-\d{2})\. Status: ([a-z]+)[. ]/.exec(read(name)) ?? [];
  return { number, title, date, status };
}

/** The title and the first paragraph. */
const headOf = (name: string): string => `${read(name).split('\n\n').slice(0, 2).join('\n\n')}\n`;

function indexRow(name: string): string {
  const { number, title, date, status } = headerOf(name);
  return `| [${number}](${name}) | ${title} | ${date} | ${status} |`;
}
