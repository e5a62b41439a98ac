import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { noteSkip } from '@libs/testing';
import { blocksOf, type Block } from '../../architecture/sources/blocks.js';
import { PastedSession, programOf, failuresIn } from './pasted-session.fixture.js';

const ROOT = join(import.meta.dirname, '../../..');

/** What must hold after the session: of the text in the terminal, and of the installation. */
type Check = (output: string, session: PastedSession) => Promise<void>;

/**
 * Declares the test of a page. Its title is the verdict: how many blocks run, are skipped on this machine, or are shown only.
 * `holds` checks what the reader sees and what is left.
 */
export function runPage(path: string, holds: Check = () => Promise.resolve()): void {
  const blocks = blocksOf(readFileSync(join(ROOT, path), 'utf8'));
  const typed = blocks.filter(({ mark }) => mark !== null && mark !== 'shows');
  const skipped = typed.filter((block) => missingOf(block).length > 0);
  const played = typed.filter((block) => !skipped.includes(block));
  for (const block of skipped)
    noteSkip(`${missingOf(block).join(', ')} of ${path}:${block.line} is missing`, 'Put the program on the PATH');

  if (blocks.length === 0) return;
  const test = played.length > 0 ? it : it.skip;
  test(`${path}: ${played.length} run, ${skipped.length} skipped, ${blocks.length - typed.length} shown`, async () => {
    const session = await PastedSession.open();
    try {
      const { code, output } = await session.paste(played);
      expect(code === 0 ? 'done' : output).toBe('done');
      expect(failuresIn(output)).toEqual([]);
      await holds(output, session);
    } finally {
      await session.close();
    }
  });
}

/** The programs of a block that this machine lacks: those that its mark names, and those of the terminal. */
function missingOf({ mark, text }: Block): string[] {
  const needs = typeof mark === 'object' && mark !== null ? mark.needs : [];
  return ['bash', ...(/\bcurl\b/.test(text) ? ['curl'] : []), ...needs].filter((name) => programOf(name) === null);
}
