import type { InvoiceDocument, InvoiceLine, InvoicePeriod, InvoiceTotals } from '../invoices/invoice-document.js';
import { beside, gap, stacked, type Block } from './block.js';
import { decimal, instant } from './invoice-wording.js';
import { isolated, printable, printableName } from './printable-text.js';
import { INK, PAGE } from './pdf-writer.js';
import { figureBlock, textBlock } from './text-block.js';
import type { Style, Typeface } from './typeface.js';

const NAME = { x: PAGE.left, width: 187 };
const FIGURE_WIDTH = 72;
/** The left edges of the columns with figures: compute, storage, transfer, total. */
const COLUMNS = [0, 1, 2, 3].map((index) => PAGE.right - (4 - index) * (FIGURE_WIDTH + 6) + 6);
const PERIOD = { x: PAGE.left + 8, width: PAGE.right - PAGE.left - FIGURE_WIDTH - 20, lines: 2 };

const HEAD: Style = { size: 8, bold: true, color: INK.quiet };
const BODY: Style = { size: 9, color: INK.text };
const STRONG: Style = { size: 9, bold: true, color: INK.text };
const QUIET: Style = { size: 7.5, color: INK.quiet };

const ruled = (weight: number): Block => ({
  height: weight + 4,
  draw: (pdf, y) => pdf.rule(y, PAGE.left, weight),
});

/** Returns the head of the table for every page. */
export function tableHead(typeface: Typeface): Block {
  const names = ['Compute', 'Storage', 'Transfer', 'Total'];
  const cells = names.map((name, index) => figureBlock(typeface, name, HEAD, column(index)));
  const row = beside([textBlock(typeface, 'Deployment', HEAD, NAME), ...cells]);
  return stacked([row, gap(3), ruled(1)]);
}

/** Yields a deployment and its periods, created on demand. The first period is always on the page of the deployment. */
export function* lineBlocks(line: InvoiceLine, typeface: Typeface): Generator<Block> {
  const [first, ...others] = line.periods;
  let block = stacked([mainBlock(line, typeface), ...(first ? [gap(1), periodBlock(first, typeface)] : [])]);
  for (const period of others) {
    yield block;
    block = periodBlock(period, typeface);
  }
  yield stacked([block, gap(4), ruled(0.4)]);
}

function mainBlock(line: InvoiceLine, typeface: Typeface): Block {
  const path = `${isolated(line.code)} · ${isolated(line.division)} / ${isolated(line.environment)}`;
  const amounts = [line.computeUsd, line.storageUsd, line.transferUsd, line.totalUsd];
  const used = [
    `${decimal(line.computeHours)} h`,
    `${decimal(line.storageGbHours)} GB h`,
    `${decimal(line.transferGb)} GB`,
  ];
  return beside([
    stacked([
      textBlock(typeface, printableName(line.deployment), STRONG, NAME),
      textBlock(typeface, path, QUIET, NAME),
    ]),
    stacked([
      beside(amounts.map((amount, index) => figure(typeface, amount, index === 3 ? STRONG : BODY, index))),
      beside(used.map((text, index) => figureBlock(typeface, text, QUIET, column(index)))),
    ]),
  ]);
}

function periodBlock({ from, to, text, monthlyUsd }: InvoicePeriod, typeface: Typeface): Block {
  const when = `${printable(instant(from))} – ${printable(instant(to))}`;
  return textBlock(typeface, `${when}: ${isolated(text)}, ${decimal(monthlyUsd)} a month`, QUIET, PERIOD);
}

/** Returns a row without a deployment: the invoice has none, or has more than it shows. */
export function remarkBlocks({ lines, moreLines }: InvoiceDocument, typeface: Typeface): Block[] {
  const text = remark(lines.length, moreLines);
  if (text === null) return [];
  const fullWidth = { ...NAME, width: PAGE.right - PAGE.left };
  return [stacked([gap(2), textBlock(typeface, text, BODY, fullWidth), gap(6), ruled(0.4)])];
}

function remark(lines: number, moreLines: number): string | null {
  if (moreLines > 0) {
    const more =
      moreLines === 1 ? '1 more deployment, which is' : `${decimal(String(moreLines))} more deployments, which are`;
    return `And ${more} not shown here and counted in the totals.`;
  }
  return lines === 0 ? 'No deployment was used in this month.' : null;
}

/** Returns the totals below the columns. */
export function totalsBlock(totals: InvoiceTotals, typeface: Typeface): Block {
  const amounts = [totals.computeUsd, totals.storageUsd, totals.transferUsd, totals.totalUsd];
  const cells = amounts.map((amount, index) => figure(typeface, amount, STRONG, index));
  return stacked([gap(2), beside([textBlock(typeface, 'Sum', STRONG, NAME), ...cells])]);
}

const column = (index: number): { x: number; width: number } => ({ x: COLUMNS[index] ?? 0, width: FIGURE_WIDTH });

const figure = (typeface: Typeface, amount: string, style: Style, index: number): Block =>
  figureBlock(typeface, decimal(amount), style, column(index));
