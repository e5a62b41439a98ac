import type { InvoiceDocument } from './invoice-document.js';
import { stacked } from '../invoice-pdf/block.js';
import { Breather } from '../invoice-pdf/breather.js';
import { endBlocks, sumBlock } from '../invoice-pdf/end-blocks.js';
import { frontBlocks } from '../invoice-pdf/front-blocks.js';
import { monthName, titleOf } from '../invoice-pdf/invoice-wording.js';
import { Pages, type Page } from '../invoice-pdf/pages.js';
import { fit } from '../invoice-pdf/paragraph.js';
import { isolated, printable } from '../invoice-pdf/printable-text.js';
import { INK, PAGE, PdfWriter } from '../invoice-pdf/pdf-writer.js';
import { lineBlocks, remarkBlocks, tableHead, totalsBlock } from '../invoice-pdf/table-blocks.js';

/**
 * Renders an invoice as PDF, A4. The same invoice gives the same bytes. Pauses regularly: thousands of lines take
 * seconds and block the process for about 20 ms at a time, the first invoice of a process for 70 ms. A line needs about
 * 30 KB of memory during rendering and 250 bytes in the PDF. Characters without a glyph (fonts for CJK have tens of
 * megabytes) are drawn as boxes, with a note at the end, and keep their text for copying.
 */
export async function renderInvoice(invoice: InvoiceDocument): Promise<Buffer> {
  const pdf = await PdfWriter.of({
    title: `${titleOf(invoice)} ${printable(invoice.number ?? '')} ${monthName(invoice.month)}`.replace(/ {2,}/gu, ' '),
    author: printable(invoice.issuer.name),
    subject: invoice.status,
    madeAt: invoice.issuedAt ?? new Date(`${invoice.month}-01T00:00:00Z`),
  });
  const breather = new Breather();
  await drawPages(await layOut(invoice, pdf, breather), invoice, pdf, breather);
  return pdf.finish();
}

/** Lays out all pages before drawing, because the first page shows the number of pages. */
async function layOut(invoice: InvoiceDocument, { typeface }: PdfWriter, breather: Breather): Promise<Page[]> {
  const pages = new Pages();
  for (const block of frontBlocks(invoice, typeface)) {
    pages.add(block);
    await breather.pause();
  }
  const head = tableHead(typeface);
  pages.add(head);
  for (const line of invoice.lines) {
    for (const block of lineBlocks(line, typeface)) {
      pages.add(block, head);
      await breather.pause();
    }
  }
  for (const block of remarkBlocks(invoice, typeface)) pages.add(block, head);
  pages.add(stacked([totalsBlock(invoice.totals, typeface), sumBlock(invoice, typeface)]), head);
  for (const block of endBlocks(invoice, typeface)) {
    pages.add(block);
    await breather.pause();
  }
  return pages.pages;
}

async function drawPages(pages: Page[], invoice: InvoiceDocument, pdf: PdfWriter, breather: Breather): Promise<void> {
  for (const [index, page] of pages.entries()) {
    pdf.addPage();
    for (const { block, y } of page) {
      block.draw(pdf, y);
      await breather.pause();
    }
    if (pages.length > 1) drawFoot(pdf, invoice, `${index + 1} of ${pages.length}`);
  }
}

function drawFoot(pdf: PdfWriter, { number, month, issuer }: InvoiceDocument, position: string): void {
  const style = { size: 7.5, color: INK.quiet };
  const name = `${isolated(issuer.name)} · ${number === null ? 'Draft' : isolated(number)} · ${monthName(month)}`;
  pdf.write(fit(name, style, 400, pdf.typeface), PAGE.left, PAGE.footer);
  pdf.writeTo(fit(position, style, 80, pdf.typeface), PAGE.right, PAGE.footer);
}
