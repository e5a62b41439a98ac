import { Inject, Injectable } from '@nestjs/common';
import type { InvoiceId } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import { ReportsRepository, type ChargedPeriod, type ChargeLine, type Invoice } from '@libs/persistence/billing';
import { Decimal } from 'decimal.js';
import { MAIN_API_CONFIG, type MainApiConfig } from '../../config.js';
import { scopeOf } from '../../platform/index.js';
import type { InvoiceDocument, InvoiceIssuer, InvoiceLine } from './invoice-document.js';
import { InvoicesService } from './invoices.service.js';

/** Maximum deployments with their own lines. The PDF shows the number of the others. */
const MOST_LINES = 2_000;

type IssuerSettings = Pick<MainApiConfig, 'INVOICE_ISSUER' | 'INVOICE_ISSUER_TAX_ID' | 'INVOICE_PAYMENT_INSTRUCTIONS'>;

/** An invoice as a PDF file. */
export interface PrintedInvoice {
  /** The file name. */
  name: string;
  pdf: Buffer;
}

/** Creates invoice PDFs with the data that the caller may see. */
@Injectable()
export class InvoicePdf {
  constructor(
    private readonly reports: ReportsRepository,
    private readonly invoices: InvoicesService,
    @Inject(MAIN_API_CONFIG) private readonly config: IssuerSettings,
  ) {}

  /** @throws DomainError invoice_not_found */
  async print(actor: ActingCaller, id: InvoiceId): Promise<PrintedInvoice> {
    const scope = scopeOf(actor);
    const invoice = await this.invoices.find(actor, id);
    const { items } = await this.reports.lines(scope, invoice.reportId, { page: 1, results: MOST_LINES });
    const isExtract = scope.divisionScope !== null;
    // Fonts and their tables need a tenth of a second and some MiB, which a start does not need.
    const { renderInvoice } = await import('./render-invoice.js');
    const pdf = await renderInvoice({
      ...headOf(invoice),
      issuer: issuerOf(this.config),
      lines: items.map(toLine),
      moreLines: invoice.lineCount - items.length,
      division: isExtract ? (items[0]?.division.name ?? null) : null,
    });
    return { name: `invoice-${invoice.number ?? `${invoice.month}-draft`}.pdf`, pdf };
  }
}

type Head = Omit<InvoiceDocument, 'issuer' | 'lines' | 'moreLines' | 'division'>;

const headOf = (invoice: Invoice): Head => ({
  number: invoice.number,
  status: invoice.status,
  month: invoice.month,
  issuedAt: invoice.issuedAt,
  dueAt: invoice.dueAt,
  settledAt: invoice.settledAt,
  billTo: invoice.billTo,
  tenantName: invoice.billTo.tenant,
  totals: invoice,
});

/** The first line is the name; the rest is the address. */
function issuerOf(config: IssuerSettings): InvoiceIssuer {
  const [name = '', ...address] = linesOf(config.INVOICE_ISSUER);
  const instructions = config.INVOICE_PAYMENT_INSTRUCTIONS;
  return {
    name,
    address,
    taxId: config.INVOICE_ISSUER_TAX_ID ?? null,
    paymentInstructions: instructions === undefined ? null : linesOf(instructions).join('\n'),
  };
}

const linesOf = (setting: string): string[] => setting.split('|').map((line) => line.trim());

const toLine = ({ deployment, division, environment, periods, ...line }: ChargeLine): InvoiceLine => ({
  ...line,
  computeHours: threeDecimals(line.computeHours),
  storageGbHours: threeDecimals(line.storageGbHours),
  transferGb: threeDecimals(line.transferGb),
  deployment: deployment.name,
  division: division.name,
  environment: environment.name,
  periods: periods.map((period) => ({
    from: period.from,
    to: period.to,
    text: shapeOf(period),
    monthlyUsd: period.monthly_base_usd,
  })),
});

/** Three decimals on the PDF. The API has the exact quantities. */
const threeDecimals = (quantity: string): string => new Decimal(quantity).toDecimalPlaces(3).toFixed();

const shapeOf = ({ cloud, region, tier, managed_tier, nodes, storage_size }: ChargedPeriod): string =>
  `${nodes} × ${tier}, ${storage_size} GB, ${managed_tier ?? 'free'}, ${cloud} ${region}`;
