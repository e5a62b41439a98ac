import { columnsOf, padded } from './width.js';

const GAP = 2;
/** A column is cut down to this width before the last columns are left out. */
const READABLE = 16;

/** The lines of a table. The first row has the names of the columns. A width leaves out the last columns that do not fit. */
export function linesOf(rows: readonly (readonly string[])[], width: number | undefined): string {
  const natural = (rows[0] ?? []).map((_name, at) => Math.max(...rows.map((row) => columnsOf(row[at] ?? ''))));
  const widths = width === undefined ? natural : fitted(natural, width);
  return rows.map((row) => lineOf(row, widths)).join('\n');
}

const lineOf = (row: readonly string[], widths: readonly number[]): string =>
  widths
    .map((width, at) => padded(row[at] ?? '', width))
    .join(' '.repeat(GAP))
    .trimEnd();

function fitted(natural: readonly number[], width: number): number[] {
  const widths = [...natural];
  while (widths.length > 1 && spaceOf(widths.map((one) => Math.min(one, READABLE))) > width) widths.pop();
  for (let over = spaceOf(widths) - width; over > 0; over = spaceOf(widths) - width) {
    const widest = Math.max(...widths);
    if (widest <= 1) break;
    const next = Math.max(0, ...widths.filter((one) => one < widest));
    widths[widths.lastIndexOf(widest)] =
      widest - Math.min(over, widest - Math.max(next, 1), Math.max(widest - READABLE, 1));
  }
  return widths;
}

const spaceOf = (widths: readonly number[]): number =>
  widths.reduce((sum, one) => sum + one, 0) + GAP * (widths.length - 1);
