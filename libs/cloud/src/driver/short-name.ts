import { createHash } from 'node:crypto';

/** Letters of base32 without padding. AWS allows 32 characters in the names of balancers. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const NAME_LENGTH = 26;
export const PREFIX = 'ld-';

/** A name that AWS and Google accept everywhere: unique for these words, 29 characters. */
export function shortName(...words: string[]): string {
  return `${PREFIX}${wordOf(words, NAME_LENGTH)}`;
}

/** Letters and digits that stand for the words. */
export function wordOf(words: readonly string[], length: number): string {
  const digest = createHash('sha256').update(JSON.stringify(words)).digest();
  return Array.from(digest.subarray(0, length), (byte) => LETTERS[byte % LETTERS.length]).join('');
}
