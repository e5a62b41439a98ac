import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { BillingReportId } from '@libs/domain';
import {
  Actor,
  FailsWith,
  InTenant,
  OfTenant,
  PageQuery,
  PathId,
  RequirePermission,
  Returns,
  ReturnsPageOf,
  type ActingCaller,
  type Page,
} from '@libs/http';
import { BillingReportsService } from './billing-reports.service.js';
import { BillingReportItemView, BillingReportView } from './dto/billing-report.view.js';
import { ChargeLineView } from './dto/charges.view.js';

@ApiTags('Billing')
@Controller('tenants/:tenant_id/billing/reports')
export class BillingReportsController {
  constructor(private readonly reports: BillingReportsService) {}

  /** Lists the months with charges. A caller of one division sees the division's part. */
  @Get()
  @RequirePermission('billing:read')
  @InTenant()
  @ReturnsPageOf(BillingReportItemView)
  @FailsWith('validation_failed')
  list(@Actor() actor: ActingCaller, @Query() query: PageQuery): Promise<Page<BillingReportItemView>> {
    return this.reports.list(actor, query);
  }

  /** Reads the report of a month with the charges of each deployment. */
  @Get(':billing_report_id')
  @RequirePermission('billing:read')
  @OfTenant('billing_report', 'The report.')
  @Returns(BillingReportView)
  get(@Actor() actor: ActingCaller, @PathId('billing_report_id') id: BillingReportId): Promise<BillingReportView> {
    return this.reports.get(actor, id);
  }

  /** Lists the charges of each deployment, highest first. */
  @Get(':billing_report_id/lines')
  @RequirePermission('billing:read')
  @OfTenant('billing_report', 'The report.')
  @ReturnsPageOf(ChargeLineView)
  @FailsWith('validation_failed')
  lines(
    @Actor() actor: ActingCaller,
    @PathId('billing_report_id') id: BillingReportId,
    @Query() query: PageQuery,
  ): Promise<Page<ChargeLineView>> {
    return this.reports.lines(actor, id, query);
  }
}
