import { linesOf, readPdf, type Piece } from '@libs/testing';
import type { InvoiceDocument } from './invoice-document.js';
import { aLine, anInvoice } from '../../../test/invoice.fixture.js';
import { renderInvoice } from './render-invoice.js';

const RIGHT_EDGE = 547;

const pagesOf = async (changes: Partial<InvoiceDocument> = {}): Promise<Piece[][]> =>
  readPdf(await renderInvoice(anInvoice(changes)));
const textOf = async (changes: Partial<InvoiceDocument> = {}): Promise<string[]> =>
  (await pagesOf(changes)).flatMap(linesOf);
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => aLine({ deployment: `deployment-${index}`, code: `code-${index}` }));
const textIn = (pages: Piece[][]): string => pages.flatMap((page) => page.map(({ text }) => text)).join('\n');

describe('An invoice as PDF', () => {
  it('shows issuer, recipient, lines, amount and due date on one page', async () => {
    const pages = await pagesOf();

    expect(pages).toHaveLength(1);
    const lines = linesOf(pages[0] ?? []);
    for (const expected of [
      ...['Landlord Operations Ltd', 'Tax ID IE1234567A', 'Żółta Łódź sp. z o.o.', '90-001 Łódź, Łódzkie'],
      ...[
        'Bill to | Number | INV-2026-000042',
        'Month | October 2026',
        'Due | 15 November 2026',
        'Purchase order | PO 4711',
      ],
      ...['Amount due | 2,940.98', 'orders | 1,310.40 | 148.80 | 11.29 | 1,470.49'],
      'orders-k3x9qa · Payments / production | 744.00 h | 74,400.00 GB h | 125.40 GB',
      '2026-10-01 – 2026-11-01: small, cluster of 3 nodes, 100 GB network drive, 1,459.20 a month',
      ...['Sum | 2,620.80 | 297.60 | 22.58 | 2,940.98', 'Please pay by 15 November 2026.'],
      'Transfer to IBAN IE29 AIBK 9311 5212 3456 78, BIC AIBKIE2D.',
    ])
      expect(lines.filter((line) => line.includes(expected))).not.toEqual([]);
    expect(lines.join('\n').match(/USD/gu)).toHaveLength(1);
    expect(lines.join('\n')).not.toMatch(/ of \d+$|□/mu);
  });

  it('names the organization in addition to another billing name, and bills it without one', async () => {
    const { billTo } = anInvoice();

    expect((await textOf()).filter((line) => line.includes('Yellow Boat'))).toEqual(['Organization | Yellow Boat']);
    const unnamed = await textOf({ billTo: { ...billTo, company: ' ', address: null } });
    expect(unnamed.filter((line) => line.includes('Yellow Boat'))).toEqual(['Yellow Boat']);
  });

  it('aligns the figures of a column to the right edge at any length', async () => {
    const totals = { computeUsd: '123456789012345.67', storageUsd: '0.10', transferUsd: '-7.00', totalUsd: '1.00' };
    const lines = [aLine({ transferUsd: '1.29' }), aLine({ transferUsd: '111.29' })];
    const [page = []] = await pagesOf({ totals, lines });

    const startOf = (text: string): number => page.find((piece) => piece.text === text)?.x ?? Number.NaN;
    // The width of two digits of DejaVu Sans Condensed at 9 points.
    expect(startOf('1.29') - startOf('111.29')).toBeCloseTo(2 * 9 * 0.5727, 1);
    expect(startOf('-7.00')).toBeGreaterThan(startOf('111.29'));
    const long = page.find(({ text }) => text === '123,456,789,012,345.67');
    expect(long?.size).toBeLessThan(9);
    expect(long?.x).toBeGreaterThanOrEqual(48 + 187);
    expect(Math.max(...page.map(({ x }) => x))).toBeLessThan(RIGHT_EDGE);
  });

  it.each([
    ['draft', { number: null, issuedAt: null, dueAt: null }, 'DRAFT', 'Draft invoice'],
    ['paid', { settledAt: new Date('2026-11-03T10:00:00Z') }, 'PAID 3 November 2026', 'Total, paid'],
    [
      'cancelled',
      { settledAt: new Date('2026-11-04T10:00:00Z') },
      'CANCELLED 4 November 2026',
      'There is nothing to pay.',
    ],
    ['failed', {}, 'PAYMENT FAILED', 'The amount is still due.'],
  ] as const)(
    'that is %s shows its status, and requests a payment only when it is due',
    async (status, changes, stamp, words) => {
      const text = (await textOf({ ...changes, status })).join('\n');

      expect(text).toContain(stamp);
      expect(text).toContain(words);
      expect(text.includes('IBAN')).toBe(status === 'failed');
      expect(text.includes('Amount due')).toBe(status === 'failed');
    },
  );

  it('of one division is marked as an extract, and requests no payment', async () => {
    const text = (await textOf({ division: 'Payments' })).join('\n');

    expect(text).toContain('Extract for division Payments');
    expect(text).toContain('not of the whole invoice');
    expect(text).toContain('Total of the division');
    expect(text).not.toMatch(/IBAN|Amount due|Please pay/u);
  });

  it('shows that nothing was used, and the number of deployments that it does not list', async () => {
    expect(await textOf({ lines: [] })).toContain('No deployment was used in this month.');
    expect(await textOf({ moreLines: 1234 })).toContain(
      'And 1,234 more deployments, which are not shown here and counted in the totals.',
    );
    expect(await textOf({ lines: [], moreLines: 1 })).toContain(
      'And 1 more deployment, which is not shown here and counted in the totals.',
    );
  });

  it('repeats the head of the table and shows the page number on each of several pages', async () => {
    const pages = await pagesOf({ lines: many(40) });

    const texts = pages.map(linesOf);
    expect(pages.length).toBeGreaterThan(2);
    expect(texts.map((lines) => lines.at(-1))).toEqual(
      texts.map((_, at) => `Landlord Operations Ltd · INV-2026-000042 · October 2026 | ${at + 1} of ${pages.length}`),
    );
    expect(texts.slice(1).map(([first]) => first)).toEqual(
      texts.slice(1).map(() => 'Deployment | Compute | Storage | Transfer | Total'),
    );
    const names = texts.flat().flatMap((line) => /^deployment-\d+/u.exec(line) ?? []);
    expect(names).toEqual(many(40).map(({ deployment }) => deployment));
    expect(Math.min(...pages.flatMap((page) => page.map(({ y }) => y)))).toBeGreaterThan(30);
  });

  it('has the same bytes for the same invoice, independent of earlier documents', async () => {
    const first = await renderInvoice(anInvoice());
    await renderInvoice(anInvoice({ tenantName: 'ΑΒΕΖΗΙΚΜΝΟΡΤΧ АВЕКМНОРСТХ', month: '2025-01' }));

    expect((await renderInvoice(anInvoice())).equals(first)).toBe(true);
    expect((await renderInvoice(anInvoice({ status: 'failed' }))).equals(first)).toBe(false);
    expect(first.toString('latin1')).toContain('(D:20261101030000Z)');
  });
});

describe('A name on an invoice', () => {
  const named = (deployment: string) => pagesOf({ lines: [aLine({ deployment })] });

  it.each(['Ærøskøbing Žluťoučký Ðặng Ğİş', 'Объединённые «Ґанок» Ђура', 'Ἑλληνικὴ Ἀθήνα', 'Հայաստան საქართველო'])(
    'is drawn unchanged: %s',
    async (name) => {
      const pages = await named(name);

      expect(textIn(pages)).toContain(name);
      expect(textIn(pages)).not.toContain('□');
    },
  );

  it('from right to left is drawn from its end, with digits and brackets in reading order', async () => {
    const pages = await named('שלום (עולם) 12');

    const drawn = pages.flat().find(({ actual }) => actual === 'שלום (עולם) 12');
    expect(drawn?.text).toBe('12 (םלוע) םולש');
  });

  it('does not reorder the text next to it', async () => {
    const pages = await pagesOf({ lines: [aLine({ code: 'a-1', division: 'שלום', environment: '2' })] });

    const drawn = pages.flat().find(({ actual }) => actual === 'a-1 · שלום / 2');
    expect(drawn?.text).toBe('a-1 · םולש / 2');
  });

  it('without glyphs is drawn as boxes, with a note, and keeps its text for copying', async () => {
    const pages = await named('株式会社 7');

    const drawn = pages.flat().find(({ actual }) => actual === '株式会社 7');
    expect(drawn?.text).toBe('□□□□ 7');
    expect(textIn(pages)).toContain('□ stands for a character that this document has no letter for');
  });

  it('cannot contain controls, reorder the line, stack marks, or be empty', async () => {
    expect(textIn(await named('a\u0000b\u202Ec\r\nd\u200B'))).toContain('a bc d');
    expect(textIn(await named(`e${'\u0301'.repeat(500)}x`)).match(/\u0301/gu)?.length).toBeLessThan(5);
    expect(textIn(await named(' \u200B\u0007 '))).toContain('(unreadable)');
    expect(textIn(await named('a\uD800\uE000'))).toContain('a□□');
  });

  it('of any length is broken and cut within its column', async () => {
    const [page = []] = await named('W'.repeat(10_000));

    const parts = page.filter(({ text }) => /^W+…?$/u.test(text));
    expect(parts).toHaveLength(3);
    expect(parts.at(-1)?.text).toMatch(/…$/u);
    // The widest letter at 9 points is at most 10 points wide.
    expect(Math.max(...parts.map(({ text }) => text.length * 10))).toBeLessThan(250);
  });
});

describe('An invoice of 2,000 lines', () => {
  it('does not block the process', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);

    const pages = readPdf(await renderInvoice(anInvoice({ lines: many(2000) })).finally(() => clearInterval(timer)));

    expect(pages.flat().filter(({ text }) => /^deployment-\d+$/u.test(text))).toHaveLength(2000);
    // The duration of each turn depends on the machine. Without pauses there would be no turn.
    expect(turns).toBeGreaterThan(10);
  });
});
