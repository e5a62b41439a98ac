import { Get, Query } from '@nestjs/common';
import type { BillingReportId } from '@libs/domain';
import { Actor, Lists, ListQuery, PathId, Reads, Routes, type ActingCaller, type Page } from '@libs/http';
import { BillingReportsService } from './billing-reports.service.js';
import { BillingReportItemView, BillingReportView } from './dto/billing-report.view.js';
import { ChargeLineView } from './dto/charges.view.js';

@Routes('tenants/:tenant_id/billing/reports', 'Billing', { billing_report_id: 'The report.' })
export class BillingReportsController {
  constructor(private readonly reports: BillingReportsService) {}

  /** Lists the months with charges. A caller of one division sees the division's part. */
  @Get()
  @Lists('billing:read', BillingReportItemView)
  list(@Actor() actor: ActingCaller, @Query() query: ListQuery): Promise<Page<BillingReportItemView>> {
    return this.reports.list(actor, query);
  }

  /** Reads the report of a month with the charges of each deployment. */
  @Get(':billing_report_id')
  @Reads('billing:read', BillingReportView)
  get(@Actor() actor: ActingCaller, @PathId() id: BillingReportId): Promise<BillingReportView> {
    return this.reports.get(actor, id);
  }

  /** Lists the charges of each deployment, highest first. */
  @Get(':billing_report_id/lines')
  @Lists('billing:read', ChargeLineView)
  lines(
    @Actor() actor: ActingCaller,
    @PathId() id: BillingReportId,
    @Query() query: ListQuery,
  ): Promise<Page<ChargeLineView>> {
    return this.reports.lines(actor, id, query);
  }
}
