import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { noteSkip } from '@libs/testing';
import { blocksOf, type Block } from '../../architecture/sources/blocks.js';
import { PastedSession, programOf, failuresIn } from './pasted-session.fixture.js';

const ROOT = join(import.meta.dirname, '../../..');

/**
 * Declares the test of a page. Its title is the verdict: how many blocks run, are skipped on this machine, or are shown only. Each
 * pattern is something that the reader sees.
 */
export function runPage(path: string, ...expected: RegExp[]): void {
  const blocks = blocksOf(readFileSync(join(ROOT, path), 'utf8'));
  const typed = blocks.filter(({ mark }) => mark !== null && mark !== 'shows');
  const skipped = typed.filter(({ mark }) => missingOf(mark).length > 0);
  const played = typed.filter((block) => !skipped.includes(block));
  for (const { line, mark } of skipped)
    noteSkip(`${missingOf(mark).join(', ')} of ${path}:${line} is missing`, 'Put the program on the PATH');

  if (blocks.length === 0) return;
  const test = played.length > 0 ? it : it.skip;
  test(`${path}: ${played.length} run, ${skipped.length} skipped, ${blocks.length - typed.length} shown`, async () => {
    const session = await PastedSession.open();
    try {
      const { code, output } = await session.paste(played);
      expect(code === 0 ? 'done' : output).toBe('done');
      expect(failuresIn(output)).toEqual([]);
      for (const pattern of expected) expect(output).toMatch(pattern);
    } finally {
      await session.close();
    }
  });
}

const missingOf = (mark: Block['mark']): string[] =>
  typeof mark === 'object' && mark !== null ? mark.needs.filter((name) => programOf(name) === null) : [];
