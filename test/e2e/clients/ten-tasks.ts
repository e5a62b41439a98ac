import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf } from '../../architecture/sources/blocks.js';

const GUIDE = join(import.meta.dirname, '../../../docs/guides/cli.md');

export interface Task {
  title: string;
  landlord: readonly string[];
  laser: readonly string[];
  /** The numbers of the table: commands, characters and requests of landlord, commands and characters of laser. */
  figures: readonly number[];
}

/** The tasks of the guide, with their row of the table. */
export function tasksOfTheGuide(): Task[] {
  const [head = '', ...sections] = readFileSync(GUIDE, 'utf8').split(/^### /m);
  const rows = [...head.matchAll(/^\| (\d+\. .+?) \|(( \d+ \|)+)$/gm)];
  return sections.map((section, at) => {
    const [title = ''] = section.split('\n', 1);
    const [, row, numbers = ''] = rows[at] ?? [];
    if (row !== title) throw new TypeError(`The table has no row "${title}" at its place.`);
    const blocks = blocksOf(section).map(({ text }) => text.trim().split('\n'));
    const [landlord = [], laser = []] = blocks;
    return { title, landlord, laser, figures: numbers.match(/\d+/g)?.map(Number) ?? [] };
  });
}

export const charactersOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length, 0);
