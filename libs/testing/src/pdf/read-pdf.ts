import { inflateSync } from 'node:zlib';

/** A piece of text. `x` and `y` are in points from the lower left corner; `y` is the baseline. */
export interface Piece {
  text: string;
  x: number;
  y: number;
  size: number;
  font: string;
  /** The text that a reader copies instead, if the document sets one. */
  actual: string | null;
}

/** Reads PDFs of pdfkit, and only the features that pdfkit uses. Maintained readers need a newer Node.js or binaries. */
export function readPdf(bytes: Buffer): Piece[][] {
  const objects = objectsOf(bytes);
  const kids = /\/Kids \[([^\]]*)\]/u.exec(find(objects, '/Type /Pages'))?.[1] ?? '';
  return [...kids.matchAll(/(\d+) 0 R/gu)].map(([, id]) => {
    const page = objects.get(Number(id))?.head ?? '';
    const fonts = new Map<string, string[]>();
    const resources = follow(objects, page, 'Resources').head;
    for (const [, name, font] of resources.matchAll(/\/(F\d+) (\d+) 0 R/gu))
      fonts.set(name ?? '', glyphTextsOf(follow(objects, objects.get(Number(font))?.head ?? '', 'ToUnicode').body));
    return piecesOf(follow(objects, page, 'Contents').body, fonts);
  });
}

/** The visible lines of a page from top to bottom. Joins pieces of the same height. */
export function linesOf(page: Piece[]): string[] {
  const heights = [...new Set(page.map(({ y }) => y))].sort((left, right) => right - left);
  return heights.map((height) =>
    page
      .filter(({ y }) => y === height)
      .sort((left, right) => left.x - right.x)
      .map(({ text, actual }) => actual ?? text)
      .join(' | '),
  );
}

interface PdfObject {
  head: string;
  body: string;
}

function objectsOf(bytes: Buffer): Map<number, PdfObject> {
  const text = bytes.toString('latin1');
  const objects = new Map<number, PdfObject>();
  for (const match of text.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj\n/gu)) {
    const [, id, all = ''] = match;
    const [head = '', stream] = all.split('\nstream\n', 2);
    const raw = stream === undefined ? null : Buffer.from(all.slice(head.length + 8, -'\nendstream'.length), 'latin1');
    const isPacked = head.includes('/FlateDecode');
    objects.set(Number(id), { head, body: raw ? (isPacked ? inflateSync(raw) : raw).toString('latin1') : '' });
  }
  return objects;
}

const find = (objects: Map<number, PdfObject>, text: string): string =>
  [...objects.values()].find(({ head }) => head.includes(text))?.head ?? '';

function follow(objects: Map<number, PdfObject>, head: string, name: string): PdfObject {
  const id = new RegExp(`/${name} (\\d+) 0 R`, 'u').exec(head)?.[1];
  return objects.get(Number(id)) ?? { head: '', body: '' };
}

/** The text of each glyph of a font, by its number. */
function glyphTextsOf(cmap: string): string[] {
  const lists = [...cmap.matchAll(/^<[0-9a-f]+> <[0-9a-f]+> \[(.*)\]$/gmu)].map(([, list]) => list ?? '');
  return lists.flatMap((list) => [...list.matchAll(/<([^>]*)>/gu)].map(([, hex]) => utf16(hex ?? '')));
}

const utf16 = (hex: string): string => Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le');

function piecesOf(content: string, fonts: Map<string, string[]>): Piece[] {
  const pieces: Piece[] = [];
  for (const [, marked, shown] of content.matchAll(/(\/Span <<[\s\S]*?>> BDC\n[\s\S]*?\nEMC)|(BT\n[\s\S]*?\nET)/gu)) {
    const [, string] = /\/ActualText \(([\s\S]*?)\)\n>> BDC/u.exec(marked ?? '') ?? [];
    const parts = [...(marked ?? shown ?? '').matchAll(/BT\n([\s\S]*?)\nET/gu)].map(([, part]) =>
      pieceOf(part ?? '', fonts),
    );
    if (string !== undefined && parts[0])
      pieces.push({ ...parts[0], text: parts.map(({ text }) => text).join(''), actual: actualOf(string) });
    else pieces.push(...parts);
  }
  return pieces;
}

function pieceOf(part: string, fonts: Map<string, string[]>): Piece {
  const [, x, y] = /1 0 0 1 (\S+) (\S+) Tm/u.exec(part) ?? [];
  const [, font = '', size] = /\/(F\d+) (\S+) Tf/u.exec(part) ?? [];
  const glyphs = [...part.matchAll(/<([0-9a-f]+)>/gu)].flatMap(([, hex]) => hex?.match(/.{4}/gu) ?? []);
  const text = glyphs.map((glyph) => fonts.get(font)?.[Number.parseInt(glyph, 16)] ?? '?').join('');
  return { text, x: Number(x), y: Number(y), size: Number(size), font, actual: null };
}

function actualOf(string: string): string {
  const plain = string.replace(/\\([nrtbf()\\])/gu, (_, character: string) => ESCAPES[character] ?? character);
  return plain.startsWith('\u00fe\u00ff') ? Buffer.from(plain.slice(2), 'latin1').swap16().toString('utf16le') : plain;
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
