import { Injectable } from '@nestjs/common';
import { DomainError, type InvoiceId } from '@libs/domain';
import { Page, type ActingCaller, type ListQuery } from '@libs/http';
import { InvoicesRepository, ReportsRepository, type Invoice } from '@libs/persistence/billing';
import { scopeOf } from '../../platform/index.js';
import type { ChargeLineView } from '../dto/charges.view.js';
import type { InvoiceItemView, InvoiceView } from '../dto/invoice.view.js';
import type { InvoicesQuery } from '../dto/invoices.query.js';
import { toChargeLineView, toChargesView } from '../usage/to-charges-view.js';

const TOP_LINES = { page: 1, results: 100 };

/** Invoices, as far as the caller may see them. */
@Injectable()
export class InvoicesService {
  constructor(
    private readonly invoices: InvoicesRepository,
    private readonly reports: ReportsRepository,
  ) {}

  async list(actor: ActingCaller, query: InvoicesQuery): Promise<Page<InvoiceItemView>> {
    return Page.of(await this.invoices.list(scopeOf(actor), query.status ?? null, query), toItemView, query);
  }

  /** @throws DomainError invoice_not_found */
  async get(actor: ActingCaller, id: InvoiceId): Promise<InvoiceView> {
    const invoice = await this.find(actor, id);
    const { items } = await this.reports.lines(scopeOf(actor), invoice.reportId, TOP_LINES);
    return { ...toItemView(invoice), bill_to: invoice.billTo, lines: items.map(toChargeLineView) };
  }

  /** @throws DomainError invoice_not_found */
  async lines(actor: ActingCaller, id: InvoiceId, query: ListQuery): Promise<Page<ChargeLineView>> {
    const { reportId } = await this.find(actor, id);
    return Page.of(await this.reports.lines(scopeOf(actor), reportId, query), toChargeLineView, query);
  }

  /** @throws DomainError invoice_not_found */
  async find(actor: ActingCaller, id: InvoiceId): Promise<Invoice> {
    const invoice = await this.invoices.find(scopeOf(actor), id);
    if (!invoice) throw new DomainError('invoice_not_found', 'No such invoice.');
    return invoice;
  }
}

const toItemView = (invoice: Invoice): InvoiceItemView => ({
  id: invoice.id,
  number: invoice.number,
  status: invoice.status,
  month: invoice.month,
  provider: invoice.provider,
  issued_at: invoice.issuedAt?.toISOString() ?? null,
  due_at: invoice.dueAt?.toISOString() ?? null,
  settled_at: invoice.settledAt?.toISOString() ?? null,
  failure: invoice.failure,
  line_count: invoice.lineCount,
  ...toChargesView(invoice),
});
