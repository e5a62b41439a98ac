/** Maximum length of one drawn field, in UTF-16 units. A longer text ends with an ellipsis. */
const LONGEST = 400;

/** Direction controls would let a name rearrange the text around it. Joiners are part of words. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cf}\ufe00-\ufe0f]/gu;
const MARKS_BEYOND_USE = /(\p{M}{4})\p{M}+/gu;

/**
 * Returns user input as one line: without controls and line breaks, without more combining marks than any script uses,
 * at most 400 units. The removed characters are invisible. Characters without a glyph stay: the typeface shows a box
 * for them.
 */
export function printable(text: string): string {
  const line = text
    .slice(0, LONGEST * 4)
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .replace(UNSEEN, '')
    .replace(MARKS_BEYOND_USE, '$1')
    .trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

/** Returns the lines of a text without empty lines at the end, at most `most`. */
export function printableLines(text: string, most: number): string[] {
  const lines = text
    .slice(0, LONGEST * most)
    .replace(/\r\n?/gu, '\n')
    .trimEnd()
    .split('\n')
    .map(printable);
  return lines.length > most ? [...lines.slice(0, most - 1), '…'] : lines;
}

/** Returns a name that is never empty. */
export const printableName = (text: string): string => printable(text) || '(unreadable)';

/**
 * Returns a name or field for a line with other texts. The isolates limit its direction: a Hebrew name does not reorder
 * the code and the slash next to it.
 */
export const isolated = (text: string): string => `\u2068${printableName(text)}\u2069`;
