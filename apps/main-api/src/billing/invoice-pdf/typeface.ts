import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';

export interface Style {
  /** Points. */
  size: number;
  bold?: boolean;
  color?: string;
}

/** A text that is drawn in one call, in reading order. */
export interface Run {
  text: string;
  rightToLeft: boolean;
}

const BOX = '□';
const ISOLATES = /[\u2066-\u2069]/gu;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

interface FontFile {
  bytes: Buffer;
  /** Only used to look up glyphs, never to draw. */
  font: Font;
}
interface FontFiles {
  regular: FontFile;
  bold: FontFile;
}
let files: Promise<FontFiles> | undefined;

/**
 * DejaVu Sans Condensed: Latin with all accents, Cyrillic, Greek, Armenian, Georgian, Hebrew, Arabic. Draws a box for
 * each character without a glyph (Chinese, Japanese, Korean, Indic scripts and others), and records this.
 */
export class Typeface {
  /** Whether a box has replaced a character. */
  hasLost = false;

  private constructor(
    private readonly document: PDFKit.PDFDocument,
    private readonly fonts: FontFiles,
  ) {
    // Loads the fonts from bytes for each document: a font keeps the order of its first characters. With a shared font,
    // the bytes of a document would depend on earlier documents.
    document.registerFont('regular', fonts.regular.bytes);
    document.registerFont('bold', fonts.bold.bytes);
  }

  static async of(document: PDFKit.PDFDocument): Promise<Typeface> {
    files ??= load();
    return new Typeface(document, await files);
  }

  /** In points. */
  width(text: string, style: Style): number {
    return this.widthOf({ text, rightToLeft: RIGHT_TO_LEFT.test(text) }, style);
  }

  widthOf(run: Run, style: Style): number {
    const { text, options } = this.prepare(run, style);
    return text === '' ? 0 : this.document.widthOfString(text, options);
  }

  /** `y` is the baseline. */
  draw(run: Run, style: Style, x: number, y: number): void {
    const { text, options } = this.prepare(run, style);
    if (text === '') return;
    this.document
      .fillColor(style.color ?? '#000000')
      .text(text, x, y, { ...options, lineBreak: false, baseline: 'alphabetic' });
  }

  private prepare({ text, rightToLeft }: Run, style: Style): { text: string; options: PDFKit.Mixins.TextOptions } {
    const plain = text.replace(ISOLATES, '');
    const printable = this.shown(plain);
    const isBold = style.bold === true && carries(this.fonts.bold.font, printable);
    this.document.font(isBold ? 'bold' : 'regular', style.size);
    // With a list of features, even an empty one, the run is shaped as a whole: reversed and joined. Without a list it
    // is shaped word by word.
    return rightToLeft && RIGHT_TO_LEFT.test(printable)
      ? { text: printable, options: { features: [] } }
      : { text: rightToLeft ? [...printable].reverse().join('') : printable, options: {} };
  }

  private shown(text: string): string {
    const { font } = this.fonts.regular;
    if (carries(font, text)) return text;
    this.hasLost = true;
    return Array.from(text, (character) => (carries(font, character) ? character : BOX)).join('');
  }
}

/** Private and unpaired code points are not part of a name, even if the font has a glyph. */
const UNPRINTABLE = /[\p{Co}\p{Cs}\p{Cn}]/u;

function carries(font: Font, text: string): boolean {
  if (UNPRINTABLE.test(text)) return false;
  for (const character of text) if (!font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)) return false;
  return true;
}

async function load(): Promise<FontFiles> {
  const [regular, bold] = await Promise.all([read('DejaVuSansCondensed'), read('DejaVuSansCondensed-Bold')]);
  return { regular, bold };
}

async function read(name: string): Promise<FontFile> {
  const bytes = await readFile(createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`));
  return { bytes, font: create(bytes) as Font };
}
