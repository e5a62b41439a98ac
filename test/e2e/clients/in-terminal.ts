import { noteSkip } from '@libs/testing';
import { HAS_SCRIPT } from './pseudo-terminal.js';

/** A test of what a person sees in a terminal. */
export const itInTerminal: typeof it | typeof it.skip = HAS_SCRIPT ? it : skipped();

function skipped(): typeof it.skip {
  noteSkip('there is no script of util-linux', 'It gives a program a terminal');
  return it.skip;
}
