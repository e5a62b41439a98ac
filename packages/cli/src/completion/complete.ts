import { candidatesFor, type Candidate, type ProgramFor } from './candidates.js';
import { SHELLS } from './shells.js';

/** Prints the words that can follow. The scripts of the shells call it: the first word is the shell, the last one is incomplete. */
export async function complete([name = '', ...words]: readonly string[], programFor: ProgramFor): Promise<void> {
  const shell = SHELLS[name];
  if (!shell) return;
  const { whole, before } = shell.splitsAtEquals ? joined(words) : { whole: words, before: '' };
  const candidates = await candidatesFor(whole.map(shell.read), programFor);
  const print = ({ value, text }: Candidate): string => shell.print({ value: value.slice(before.length), text });
  process.stdout.write(candidates.map((one) => `${print(one)}\n`).join(''));
}

/**
 * The words with `--option`, `=` and a value as one word. A shell that has split the last word expects candidates without what is
 * `before` the last part.
 */
function joined(words: readonly string[]): { whole: string[]; before: string } {
  const whole: string[] = [];
  let before = '';
  for (const [at, word] of words.entries()) {
    const isPart = at > 0 && (word === '=' || words[at - 1] === '=') && /^--[^=]+(=|$)/.test(whole.at(-1) ?? '');
    const option = isPart ? (whole.pop() ?? '') : '';
    before = isPart ? option.replace(/=?$/, '=') : '';
    whole.push(`${option}${word}`);
  }
  return { whole, before };
}
