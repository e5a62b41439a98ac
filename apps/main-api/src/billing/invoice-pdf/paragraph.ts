import bidiFactory, { type Bidi, type EmbeddingLevels } from 'bidi-js';
import type { Run, Style, Typeface } from './typeface.js';

/** One line of text, ready to be drawn. */
export interface TextLine {
  /** From left to right. */
  runs: Run[];
  style: Style;
  /** Points. */
  width: number;
  /** The text in reading order, for copying and for screen readers. */
  text: string;
}

export interface TextBox {
  /** Points. */
  width: number;
  /** Maximum lines. A longer text ends with an ellipsis. */
  lines: number;
}

// The types of the package declare the function as `default`, but the module is the function.
const bidi = (bidiFactory as unknown as () => Bidi)();
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Breaks a text into lines: between words, and inside a word that is wider than a line. Returns at least one line. */
export function wrap(text: string, style: Style, box: TextBox, typeface: Typeface): TextLine[] {
  const pieces = piecesOf(text, style, box.width, typeface);
  const lines: string[] = [];
  let line = '';
  let width = 0;
  for (const piece of pieces) {
    const wider = typeface.width(piece.trimEnd(), style);
    if (line !== '' && width + wider > box.width) {
      lines.push(line);
      [line, width] = ['', 0];
    }
    line += piece;
    width += typeface.width(piece, style);
  }
  lines.push(line);
  return inOrder(lines, box.lines).map(({ text: each, levels, start }) => {
    const runs = visualRuns(each.trimEnd(), levels, start);
    return { runs, style, width: widthOf(runs, style, typeface), text: each.trimEnd() };
  });
}

/** Returns a text on one line, with a smaller font size if the text is wider than `width`. */
export function fit(text: string, style: Style, width: number, typeface: Typeface): TextLine {
  const [line] = wrap(text, style, { width: Infinity, lines: 1 }, typeface) as [TextLine];
  if (line.width <= width) return line;
  const smaller = { ...style, size: (style.size * width) / line.width };
  return { ...line, style: smaller, width };
}

const widthOf = (runs: Run[], style: Style, typeface: Typeface): number =>
  runs.reduce((sum, run) => sum + typeface.widthOf(run, style), 0);

/** Splits a text into words with the space after them. Splits a word that is wider than a line into parts. */
function piecesOf(text: string, style: Style, width: number, typeface: Typeface): string[] {
  return text.split(/(?<= )/u).flatMap((word) => {
    if (typeface.width(word.trimEnd(), style) <= width) return [word];
    const parts: string[] = [];
    let part = '';
    let wide = 0;
    // Adds the widths of the graphemes instead of measuring each prefix: the typeface caches the widths of single
    // graphemes.
    for (const { segment } of graphemes.segment(word)) {
      const wider = typeface.width(segment, style);
      if (part !== '' && wide + wider > width) {
        parts.push(part);
        [part, wide] = ['', 0];
      }
      part += segment;
      wide += wider;
    }
    return [...parts, part];
  });
}

interface LineInOrder {
  text: string;
  levels: EmbeddingLevels;
  start: number;
}

/** Computes the directions for the whole text: a single line does not contain the direction of its first word. */
function inOrder(lines: string[], most: number): LineInOrder[] {
  const last = lines[most - 1];
  const visible = lines.length > most && last !== undefined ? [...lines.slice(0, most - 1), cut(last)] : lines;
  const levels = bidi.getEmbeddingLevels(visible.join(''), 'auto');
  let start = 0;
  return visible.map((text) => {
    const line = { text, levels, start };
    start += text.length;
    return line;
  });
}

/** Replaces the last three graphemes with an ellipsis, which needs less space. */
function cut(line: string): string {
  const segments = Array.from(graphemes.segment(line.trimEnd()), ({ segment }) => segment);
  return `${segments.slice(0, -3).join('')}…`;
}

/** Rule L2 of the bidirectional algorithm, for runs of one level instead of characters. */
function visualRuns(text: string, { levels }: EmbeddingLevels, start: number): Run[] {
  const runs: (Run & { level: number })[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const level = levels[start + index] ?? 0;
    const character = text.charAt(index);
    const drawn = level % 2 === 1 ? (bidi.getMirroredCharacter(character) ?? character) : character;
    const run = runs.at(-1);
    if (run?.level === level) run.text += drawn;
    else runs.push({ text: drawn, rightToLeft: level % 2 === 1, level });
  }
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level -= 1) reverseFrom(level, runs);
  return runs;
}

function reverseFrom(level: number, runs: { level: number }[]): void {
  for (let from = 0; from < runs.length; from += 1) {
    let to = from;
    while (to < runs.length && (runs[to]?.level ?? 0) >= level) to += 1;
    if (to > from) runs.splice(from, to - from, ...runs.slice(from, to).reverse());
    from = to;
  }
}
