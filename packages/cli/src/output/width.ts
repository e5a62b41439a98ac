import { eastAsianWidth } from 'get-east-asian-width';
import { plain } from './plain-text.js';

const COMBINING = /^[\p{Mn}\p{Me}]+$/u;
/** Each character takes one column. */
const NARROW = /^[\u0020-\u007e]*$/;
let segmenter: Intl.Segmenter | null = null;

/** What a person takes for letters. The object is made on use, because most texts need none. */
function lettersOf(text: string): Iterable<{ segment: string }> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter.segment(text);
}

/** The columns of one letter with its marks. */
function widthOf(letter: string): number {
  if (COMBINING.test(letter)) return 0;
  return eastAsianWidth(letter.codePointAt(0) ?? 0);
}

/** The columns that a plain text takes. */
export function columnsOf(text: string): number {
  if (NARROW.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of lettersOf(text)) columns += widthOf(segment);
  return columns;
}

/** The beginning of a text in at most so many columns. A cut text ends with an ellipsis. */
export function cut(text: string, columns: number): string {
  const whole = plain(text);
  if (columnsOf(whole) <= columns) return whole;
  let [start, used] = ['', 0];
  for (const { segment } of lettersOf(whole)) {
    if (used + widthOf(segment) > columns - 1) break;
    start += segment;
    used += widthOf(segment);
  }
  return columns > 0 ? `${start}…` : '';
}

/** The text in exactly so many columns. */
export function padded(text: string, columns: number): string {
  const start = cut(text, columns);
  return `${start}${' '.repeat(Math.max(0, columns - columnsOf(start)))}`;
}
