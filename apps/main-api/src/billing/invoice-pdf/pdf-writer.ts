import PDFDocument from 'pdfkit';
import type { TextLine } from './paragraph.js';
import { Typeface } from './typeface.js';

/** The area of an A4 page that is used, in points. */
export const PAGE = { left: 48, right: 547, top: 48, bottom: 770, footer: 806 } as const;
export const INK = { text: '#1c2024', quiet: '#5b6470', rule: '#cfd5dc', shade: '#f3f5f7' } as const;

export interface PdfMetadata {
  title: string;
  author: string;
  subject: string;
  /** The creation time in the document. It is part of the id of the document. */
  madeAt: Date;
}

/** The PDF document. Draws lines of text and rules, in points from the upper left corner. */
export class PdfWriter {
  private readonly chunks: Buffer[] = [];
  private readonly ended: Promise<void>;

  private constructor(
    private readonly document: PDFKit.PDFDocument,
    readonly typeface: Typeface,
  ) {
    document.on('data', (chunk: Buffer) => this.chunks.push(chunk));
    this.ended = new Promise((resolve, reject) => document.once('end', resolve).once('error', reject));
  }

  static async of({ title, author, subject, madeAt }: PdfMetadata): Promise<PdfWriter> {
    const document = new PDFDocument({
      ...{ size: 'A4', margin: 0, autoFirstPage: false, pdfVersion: '1.7', lang: 'en', displayTitle: true },
      // The id of the file depends only on these values, so the same invoice gives the same bytes.
      info: { Title: title, Author: author, Subject: subject, Creator: 'Landlord', CreationDate: madeAt },
    });
    return new PdfWriter(document, await Typeface.of(document));
  }

  addPage(): void {
    this.document.addPage();
  }

  /** `y` is the baseline. */
  write(line: TextLine, x: number, y: number): void {
    // Boxes and letters in visual order are not useful for copying, so the original text is added.
    const isPlain = line.runs.every(({ text, rightToLeft }) => !rightToLeft && text === line.text && isLatin(text));
    if (!isPlain) this.document.markContent('Span', { actual: line.text.replace(ISOLATES, '') });
    let at = x;
    for (const run of line.runs) {
      this.typeface.draw(run, line.style, at, y);
      at += this.typeface.widthOf(run, line.style);
    }
    if (!isPlain) this.document.endMarkedContent();
  }

  /** The line ends at `right`. */
  writeTo(line: TextLine, right: number, y: number): void {
    this.write(line, right - line.width, y);
  }

  rule(y: number, from: number = PAGE.left, weight = 0.6): void {
    this.document.lineWidth(weight).strokeColor(INK.rule).moveTo(from, y).lineTo(PAGE.right, y).stroke();
  }

  shade(x: number, y: number, width: number, height: number): void {
    this.document.rect(x, y, width, height).fill(INK.shade);
  }

  frame(x: number, y: number, width: number, height: number, color: string): void {
    this.document.lineWidth(1.2).strokeColor(color).roundedRect(x, y, width, height, 3).stroke();
  }

  async finish(): Promise<Buffer> {
    this.document.end();
    await this.ended;
    return Buffer.concat(this.chunks);
  }
}

const ISOLATES = /[\u2066-\u2069]/gu;
const isLatin = (text: string): boolean => /^[\p{Script=Latin}\p{Script=Common}]*$/u.test(text);
