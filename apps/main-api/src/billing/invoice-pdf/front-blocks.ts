import type { InvoiceAddress, InvoiceDocument } from '../invoices/invoice-document.js';
import { beside, gap, stacked, type Block } from './block.js';
import { day, decimal, isDue, monthName, stampOf, titleOf } from './invoice-wording.js';
import { fit } from './paragraph.js';
import { isolated, printable, printableName } from './printable-text.js';
import { INK, PAGE } from './pdf-writer.js';
import { figureBlock, rightBlock, textBlock } from './text-block.js';
import type { Style, Typeface } from './typeface.js';

const LEFT = { x: PAGE.left, width: 250 };
const RIGHT = { x: 330, width: PAGE.right - 330 };
const LABEL_WIDTH = 92;
/** Limit for a hostile address, which must not push the invoice off its first page. */
const ADDRESS_LINES = 8;

const PLAIN: Style = { size: 9, color: INK.text };
const BOLD: Style = { size: 9, bold: true, color: INK.text };
const LABEL: Style = { size: 9, color: INK.quiet };

/** Yields the blocks above the table: issuer, recipient, number, amount and due date. */
export function* frontBlocks(invoice: InvoiceDocument, typeface: Typeface): Generator<Block> {
  yield beside([issuerBlock(invoice, typeface), titleBlock(invoice, typeface)]);
  yield gap(26);
  yield beside([recipientBlock(invoice, typeface), factsBlock(invoice, typeface)]);
  yield gap(22);
  yield* extractBlocks(invoice, typeface);
}

function issuerBlock({ issuer }: InvoiceDocument, typeface: Typeface): Block {
  const lines = issuer.address.slice(0, ADDRESS_LINES).map(printable).filter(Boolean);
  const taxId = issuer.taxId === null ? [] : [`Tax ID ${isolated(issuer.taxId)}`];
  return stacked([
    textBlock(typeface, printableName(issuer.name), { ...BOLD, size: 12 }, LEFT),
    gap(3),
    ...[...lines, ...taxId].map((text) => textBlock(typeface, text, { ...PLAIN, color: INK.quiet }, LEFT)),
  ]);
}

function titleBlock(invoice: InvoiceDocument, typeface: Typeface): Block {
  const title = figureBlock(typeface, titleOf(invoice), { size: 24, bold: true, color: INK.text }, RIGHT);
  const stamp = stampOf(invoice);
  if (!stamp) return title;
  const line = fit(stamp.text, { size: 11, bold: true, color: stamp.color }, RIGHT.width, typeface);
  const width = line.width + 16;
  const framed: Block = {
    height: 22,
    draw: (pdf, y) => {
      pdf.frame(PAGE.right - width, y, width, 20, stamp.color);
      pdf.writeTo(line, PAGE.right - 8, y + 14);
    },
  };
  return stacked([title, gap(6), framed]);
}

function recipientBlock({ billTo, tenantName }: InvoiceDocument, typeface: Typeface): Block {
  const name = printable(billTo.company ?? '') || printableName(tenantName);
  const details = [
    ...addressLines(billTo.address),
    ...(billTo.tax_id === null ? [] : [`Tax ID ${isolated(billTo.tax_id)}`]),
    ...(billTo.email === null ? [] : [printable(billTo.email)]),
  ].filter(Boolean);
  return stacked([
    textBlock(typeface, 'Bill to', LABEL, LEFT),
    gap(2),
    textBlock(typeface, name, { ...BOLD, size: 10.5 }, { ...LEFT, lines: 4 }),
    ...details.map((text) => textBlock(typeface, text, PLAIN, { ...LEFT, lines: 2 })),
  ]);
}

function addressLines(address: InvoiceAddress | null): string[] {
  if (!address) return [];
  const beforeRegion = [address.postal_code, address.city].map((part) => printable(part ?? '')).filter(Boolean);
  const town = [beforeRegion.map(isolated).join(' '), printable(address.region ?? '')].filter(Boolean).join(', ');
  return [printable(address.line_1 ?? ''), printable(address.line_2 ?? ''), town, printable(address.country ?? '')];
}

function factsBlock(invoice: InvoiceDocument, typeface: Typeface): Block {
  const { x, width } = RIGHT;
  const rows = factsOf(invoice).map(([label, text, style]) =>
    beside([
      // Aligns the label with the baseline of a larger value.
      stacked([gap((style.size - LABEL.size) * 0.98), textBlock(typeface, label, LABEL, { x, width: LABEL_WIDTH })]),
      rightBlock(typeface, text, style, { x: x + LABEL_WIDTH, width: width - LABEL_WIDTH, lines: 3 }),
    ]),
  );
  return stacked(rows.flatMap((row) => [row, gap(1.5)]));
}

function factsOf(invoice: InvoiceDocument): [string, string, Style][] {
  const { number, month, issuedAt, dueAt, settledAt, status, billTo, tenantName, totals } = invoice;
  const fact = (label: string, text: string | null, style = PLAIN): [string, string, Style][] =>
    text ? [[label, text, style]] : [];
  const name = printableName(tenantName);
  return [
    ...fact('Number', number === null ? null : printableName(number), BOLD),
    ...fact('Month', monthName(month)),
    ...fact('Issued', issuedAt && day(issuedAt)),
    ...fact('Due', isDue(invoice) && dueAt ? day(dueAt) : null),
    ...fact('Paid', status === 'paid' && settledAt ? day(settledAt) : null),
    ...fact('Organization', name === (printable(billTo.company ?? '') || name) ? null : name),
    ...fact('Purchase order', billTo.purchase_order && printable(billTo.purchase_order)),
    ...fact('Currency', 'USD'),
    ...fact('Amount due', isDue(invoice) ? decimal(totals.totalUsd) : null, { ...BOLD, size: 12 }),
  ];
}

function extractBlocks({ division }: InvoiceDocument, typeface: Typeface): Block[] {
  if (division === null) return [];
  const width = PAGE.right - PAGE.left;
  const column = { x: PAGE.left + 10, width: width - 20 };
  const name = isolated(division);
  const text = stacked([
    textBlock(typeface, `Extract for division ${name}`, { ...BOLD, size: 10.5 }, column),
    textBlock(typeface, 'The lines and the total are those of this division, not of the whole invoice.', PLAIN, column),
  ]);
  const banner: Block = {
    height: text.height + 14,
    draw: (pdf, y) => {
      pdf.shade(PAGE.left, y, width, text.height + 14);
      text.draw(pdf, y + 7);
    },
  };
  return [banner, gap(16)];
}
