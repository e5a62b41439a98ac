import { candidatesFor, type ProgramFor } from './candidates.js';
import { SHELLS } from './shells.js';

/** Prints the words that can follow. The scripts of the shells call it: the first word is the shell, the last one is incomplete. */
export async function complete([name = '', ...words]: readonly string[], programFor: ProgramFor): Promise<void> {
  const shell = SHELLS[name];
  if (!shell) return;
  const candidates = await candidatesFor(words.map(shell.read), programFor);
  process.stdout.write(candidates.map((one) => `${shell.print(one)}\n`).join(''));
}
