import type { Block } from './block.js';
import { fit, wrap, type TextLine } from './paragraph.js';
import type { Style, Typeface } from './typeface.js';

const LEADING = 1.32;
/** Distance from the top of a line to its baseline, in font sizes. */
const RISE = 0.98;

export interface TextColumn {
  /** Left edge, in points. */
  x: number;
  width: number;
  /** Default 3. */
  lines?: number;
}

/** A text in its column, over as many lines as it needs. */
export function textBlock(typeface: Typeface, text: string, style: Style, { x, width, lines = 3 }: TextColumn): Block {
  return linesBlock(wrap(text, style, { width, lines }, typeface), style, (pdf, line, y) => pdf.write(line, x, y));
}

/** A text in its column, aligned to the right edge. */
export function rightBlock(typeface: Typeface, text: string, style: Style, { x, width, lines = 3 }: TextColumn): Block {
  const wrapped = wrap(text, style, { width, lines }, typeface);
  return linesBlock(wrapped, style, (pdf, line, y) => pdf.writeTo(line, x + width, y));
}

/** An amount, aligned to the right edge. It is never broken or cut, but may have a smaller font size. */
export function figureBlock(typeface: Typeface, text: string, style: Style, { x, width }: TextColumn): Block {
  const line = fit(text, style, width, typeface);
  return linesBlock([line], style, (pdf, each, y) => pdf.writeTo(each, x + width, y));
}

function linesBlock(
  lines: TextLine[],
  { size }: Style,
  write: (pdf: Parameters<Block['draw']>[0], line: TextLine, y: number) => void,
): Block {
  const step = size * LEADING;
  return {
    height: lines.length * step,
    draw: (pdf, y) => lines.forEach((line, index) => write(pdf, line, y + index * step + size * RISE)),
  };
}
