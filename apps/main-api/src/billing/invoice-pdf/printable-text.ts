/** Longest text of one field that is drawn, in UTF-16 units; what is longer ends in an ellipsis. */
const LONGEST = 400;

/** Controls of direction would let a name rearrange what stands around it; joiners are a part of words. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cf}\ufe00-\ufe0f]/gu;
const MARKS_BEYOND_USE = /(\p{M}{4})\p{M}+/gu;

/**
 * One line of what somebody typed: no controls, no breaks, no marks piled up beyond what any script uses, at most 400 units.
 * What is left out cannot be seen anyhow. What no font can draw stays in: the typeface shows a box for it.
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

/** The lines of a text of several, without empty ones at the end; at most `most`. */
export function printableLines(text: string, most: number): string[] {
  const lines = text
    .slice(0, LONGEST * most)
    .replace(/\r\n?/gu, '\n')
    .trimEnd()
    .split('\n')
    .map(printable);
  return lines.length > most ? [...lines.slice(0, most - 1), '…'] : lines;
}

/** A name, of which something is always seen. */
export const printableName = (text: string): string => printable(text) || '(unreadable)';

/**
 * A name or field beside others on one line. The isolates keep its direction to itself: a Hebrew name does not turn the
 * code and the slash beside it round.
 */
export const isolated = (text: string): string => `\u2068${printableName(text)}\u2069`;
