import type { Block } from './block.js';
import { fit, wrap, type TextLine } from './paragraph.js';
import type { Style, Typeface } from './typeface.js';

const LEADING = 1.32;
/** Distance from the top of a line to its baseline, in font sizes. */
const RISE = 0.98;

export interface TextPosition {
  /** Left edge, in points. */
  x: number;
  width: number;
  /** Default 3. */
  lines?: number;
}

/** A text in its column, over as many lines as it needs. */
export function textBlock(
  typeface: Typeface,
  text: string,
  style: Style,
  { x, width, lines = 3 }: TextPosition,
): Block {
  return linesBlock(wrap(text, style, { width, lines }, typeface), style, (pdfPage, line, y) =>
    pdfPage.write(line, x, y),
  );
}

/** A text in its column, aligned to the right edge. */
export function rightBlock(
  typeface: Typeface,
  text: string,
  style: Style,
  { x, width, lines = 3 }: TextPosition,
): Block {
  const wrapped = wrap(text, style, { width, lines }, typeface);
  return linesBlock(wrapped, style, (pdfPage, line, y) => pdfPage.writeTo(line, x + width, y));
}

/** An amount, aligned to the right edge. It is never broken or cut, but may have a smaller font size. */
export function figureBlock(typeface: Typeface, text: string, style: Style, { x, width }: TextPosition): Block {
  const line = fit(text, style, width, typeface);
  return linesBlock([line], style, (pdfPage, each, y) => pdfPage.writeTo(each, x + width, y));
}

function linesBlock(
  lines: TextLine[],
  { size }: Style,
  write: (pdfPage: Parameters<Block['draw']>[0], line: TextLine, y: number) => void,
): Block {
  const step = size * LEADING;
  return {
    height: lines.length * step,
    draw: (pdfPage, y) => lines.forEach((line, index) => write(pdfPage, line, y + index * step + size * RISE)),
  };
}
