import { Injectable } from '@nestjs/common';
import { DomainError, type BillingReportId } from '@libs/domain';
import { Page, type ActingCaller, type ListQuery } from '@libs/http';
import { ReportsRepository, type BillingReport } from '@libs/persistence/billing';
import { scopeOf } from '../platform/index.js';
import type { BillingReportItemView, BillingReportView } from './dto/billing-report.view.js';
import type { ChargeLineView } from './dto/charges.view.js';
import { toChargeLineView, toChargesView } from './usage/to-charges-view.js';

const TOP_LINES = { page: 1, results: 100 };

/** Monthly reports, as far as the caller may see them. */
@Injectable()
export class BillingReportsService {
  constructor(private readonly reports: ReportsRepository) {}

  async list(actor: ActingCaller, query: ListQuery): Promise<Page<BillingReportItemView>> {
    return Page.of(await this.reports.list(scopeOf(actor), query), toItemView, query);
  }

  /** @throws DomainError billing_report_not_found */
  async get(actor: ActingCaller, id: BillingReportId): Promise<BillingReportView> {
    const report = await this.find(actor, id);
    const { items } = await this.reports.lines(scopeOf(actor), id, TOP_LINES);
    return { ...toItemView(report), lines: items.map(toChargeLineView) };
  }

  /** @throws DomainError billing_report_not_found */
  async lines(actor: ActingCaller, id: BillingReportId, query: ListQuery): Promise<Page<ChargeLineView>> {
    await this.find(actor, id);
    return Page.of(await this.reports.lines(scopeOf(actor), id, query), toChargeLineView, query);
  }

  private async find(actor: ActingCaller, id: BillingReportId): Promise<BillingReport> {
    const report = await this.reports.find(scopeOf(actor), id);
    if (!report) throw new DomainError('billing_report_not_found', 'No such report.');
    return report;
  }
}

const toItemView = (report: BillingReport): BillingReportItemView => ({
  id: report.id,
  month: report.month,
  final: report.isFinal,
  line_count: report.lineCount,
  drawn_at: report.drawnAt.toISOString(),
  ...toChargesView(report),
});
