import { eastAsianWidth } from 'get-east-asian-width';
import { plain } from '../output/plain-text.js';

const COMBINING = /^[\p{Mn}\p{Me}]+$/u;
const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The columns of one letter with its marks. */
function widthOf(letter: string): number {
  if (COMBINING.test(letter)) return 0;
  return eastAsianWidth(letter.codePointAt(0) ?? 0);
}

/** The columns that a plain text takes. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const { segment } of letters.segment(text)) columns += widthOf(segment);
  return columns;
}

/** The beginning of a text in at most so many columns. A cut text ends with an ellipsis. */
export function cut(text: string, columns: number): string {
  const whole = plain(text);
  if (columnsOf(whole) <= columns) return whole;
  let [shown, used] = ['', 0];
  for (const { segment } of letters.segment(whole)) {
    if (used + widthOf(segment) > columns - 1) break;
    shown += segment;
    used += widthOf(segment);
  }
  return columns > 0 ? `${shown}…` : '';
}

/** The text in exactly so many columns. */
export function padded(text: string, columns: number): string {
  const shown = cut(text, columns);
  return `${shown}${' '.repeat(Math.max(0, columns - columnsOf(shown)))}`;
}

const STEPS = '▁▂▃▄▅▆▇█';

/** Numbers from 0 to the largest as small bars, the newest at the right. */
export function bars(numbers: readonly number[], largest: number, columns: number): string {
  const shown = numbers.slice(-columns).map((one) => {
    const step = Math.round((Math.min(Math.max(one, 0), largest) / (largest || 1)) * (STEPS.length - 1));
    return STEPS[step] ?? '';
  });
  return shown.join('').padStart(columns);
}

const UNITS = ['', 'K', 'M', 'G', 'T', 'P'];

/** A number in at most five characters: `1.5K`. */
export function short(number: number | undefined): string {
  if (number === undefined || !Number.isFinite(number)) return '-';
  const power = Math.min(Math.max(Math.floor(Math.log10(Math.abs(number) || 1) / 3), 0), UNITS.length - 1);
  const value = number / 1000 ** power;
  return `${Math.abs(value) >= 100 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1)}${UNITS[power]}`;
}
