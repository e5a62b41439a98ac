import type { InvoiceDocument } from '../invoices/invoice-document.js';
import { beside, gap, stacked, type Block } from './block.js';
import { advice, decimal, isDue, sumLabel } from './invoice-wording.js';
import { printableLines } from './printable-text.js';
import { INK, PAGE } from './pdf-writer.js';
import { figureBlock, textBlock } from './text-block.js';
import type { Style, Typeface } from './typeface.js';

const WIDE = { x: PAGE.left, width: PAGE.right - PAGE.left };
const SUM_X = 260;
const INSTRUCTION_LINES = 40;

const PLAIN: Style = { size: 9, color: INK.text };
const QUIET: Style = { size: 7.5, color: INK.quiet };

/** Yields the blocks below the total: payment advice and notes. */
export function* endBlocks(invoice: InvoiceDocument, typeface: Typeface): Generator<Block> {
  const adviceText = advice(invoice);
  yield gap(18);
  if (adviceText !== null) yield stacked([textBlock(typeface, adviceText, { ...PLAIN, bold: true }, WIDE), gap(6)]);
  yield* instructionBlocks(invoice, typeface);
  yield textBlock(typeface, 'Usage is what was metered; times are UTC.', QUIET, WIDE);
  // Last, because lost characters are known only after all other texts are measured.
  if (!typeface.hasLost) return;
  const text = '□ stands for a character that this document has no letter for; the API shows the text whole.';
  yield stacked([gap(4), textBlock(typeface, text, QUIET, WIDE)]);
}

/** Returns the block of the total. */
export function sumBlock(invoice: InvoiceDocument, typeface: Typeface): Block {
  const label = { x: SUM_X, width: 110 };
  const amount = { x: SUM_X + 112, width: PAGE.right - SUM_X - 112 };
  const style: Style = { size: 13, bold: true, color: INK.text };
  const rule: Block = { height: 8, draw: (pdf, y) => pdf.rule(y, SUM_X, 1) };
  return stacked([
    gap(14),
    rule,
    beside([
      stacked([gap(3), textBlock(typeface, sumLabel(invoice), { ...PLAIN, size: 10, bold: true }, label)]),
      figureBlock(typeface, decimal(invoice.totals.totalUsd), style, amount),
    ]),
  ]);
}

/** Yields one block per line, so that long instructions can continue on the next page. */
function* instructionBlocks(invoice: InvoiceDocument, typeface: Typeface): Generator<Block> {
  const text = invoice.issuer.paymentInstructions;
  if (text === null || !isDue(invoice)) return;
  for (const line of printableLines(text, INSTRUCTION_LINES))
    yield line === '' ? gap(6) : textBlock(typeface, line, PLAIN, WIDE);
  yield gap(10);
}
