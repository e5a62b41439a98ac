import bidiFactory, { type Bidi, type EmbeddingLevels } from 'bidi-js';
import type { Run, Style, Typeface } from './typeface.js';

/** One line of text, ready to be drawn. */
export interface TextLine {
  /** From left to right. */
  runs: Run[];
  style: Style;
  /** Points. */
  width: number;
  /** As it is read, for who copies it or has it read aloud. */
  text: string;
}

export interface Room {
  /** Points. */
  width: number;
  /** More of it ends in an ellipsis. */
  lines: number;
}

// Its types say that the function is below `default`; the module is the function.
const bidi = (bidiFactory as unknown as () => Bidi)();
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Breaks a text into lines: between words, and inside of one that is wider than a line. At least one line. */
export function wrap(text: string, style: Style, capacity: Room, typeface: Typeface): TextLine[] {
  const pieces = piecesOf(text, style, capacity.width, typeface);
  const lines: string[] = [];
  let line = '';
  let width = 0;
  for (const piece of pieces) {
    const wider = typeface.width(piece.trimEnd(), style);
    if (line !== '' && width + wider > capacity.width) {
      lines.push(line);
      [line, width] = ['', 0];
    }
    line += piece;
    width += typeface.width(piece, style);
  }
  lines.push(line);
  return inOrder(lines, capacity.lines).map(({ text: each, levels, start }) => {
    const runs = visualRuns(each.trimEnd(), levels, start);
    return { runs, style, width: widthOf(runs, style, typeface), text: each.trimEnd() };
  });
}

/** A text on one line, however wide; in smaller letters if it would be wider than `width`. */
export function fit(text: string, style: Style, width: number, typeface: Typeface): TextLine {
  const [line] = wrap(text, style, { width: Infinity, lines: 1 }, typeface) as [TextLine];
  if (line.width <= width) return line;
  const smaller = { ...style, size: (style.size * width) / line.width };
  return { ...line, style: smaller, width };
}

const widthOf = (runs: Run[], style: Style, typeface: Typeface): number =>
  runs.reduce((sum, run) => sum + typeface.widthOf(run, style), 0);

/** Words with the space after them; a word that is wider than a line in parts that are not. */
function piecesOf(text: string, style: Style, width: number, typeface: Typeface): string[] {
  return text.split(/(?<= )/u).flatMap((word) => {
    if (typeface.width(word.trimEnd(), style) <= width) return [word];
    const parts: string[] = [];
    let part = '';
    let wide = 0;
    // The sum of its graphemes, not each beginning measured anew: the typeface remembers the widths of single ones.
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

/** The directions are those of the whole text: a line does not know by itself in which one its first word is. */
function inOrder(lines: string[], most: number): LineInOrder[] {
  const last = lines[most - 1];
  const kept = lines.length > most && last !== undefined ? [...lines.slice(0, most - 1), cut(last)] : lines;
  const levels = bidi.getEmbeddingLevels(kept.join(''), 'auto');
  let start = 0;
  return kept.map((text) => {
    const line = { text, levels, start };
    start += text.length;
    return line;
  });
}

/** Three graphemes are room enough for an ellipsis. */
function cut(line: string): string {
  const segments = Array.from(graphemes.segment(line.trimEnd()), ({ segment }) => segment);
  return `${segments.slice(0, -3).join('')}…`;
}

/** Rule L2 of the bidirectional algorithm, on runs of one level instead of on characters. */
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
