import { Inject, Injectable } from '@nestjs/common';
import type { TenantId } from '@libs/domain';
import { Database } from '@libs/persistence';
import { BillingMonthsRepository, InvoicesRepository, ReportsRepository } from '@libs/persistence/billing';
import { ScheduledJob, JobScheduler } from '@libs/workflow';
import { MAIN_API_CONFIG, type MainApiConfig } from '../../config.js';
import { InvoiceMails } from './invoice-mails.js';

/** Tenants whose reports and invoices are written in one transaction. */
const BATCH = 100;
const HOUR_SECONDS = 3600;

/**
 * Creates reports and invoices of months. A past month has drafts while its accounts are open for late usage. Then the
 * accounts are closed, and the final data depends only on rows that no longer change. So interrupted, repeated and
 * concurrent runs give the same result, and every number is used exactly once.
 */
@Injectable()
export class MonthlyBillingJob extends ScheduledJob {
  constructor(
    scheduler: JobScheduler,
    private readonly database: Database,
    private readonly months: BillingMonthsRepository,
    private readonly reports: ReportsRepository,
    private readonly invoices: InvoicesRepository,
    @Inject(MAIN_API_CONFIG)
    private readonly config: Pick<MainApiConfig, 'BILLING_CLOSES_AFTER_HOURS' | 'INVOICE_DUE_DAYS'>,
    private readonly mails: InvoiceMails,
  ) {
    super(scheduler, 'billing_months', '1h');
  }

  async run(stopping: AbortSignal): Promise<void> {
    for (;;) {
      // Another process may have closed several months, so this runs until all closed months are settled.
      const unsettled = await this.months.firstUnsettled();
      if (unsettled) await this.issue(unsettled, stopping);
      if (stopping.aborted) return;
      if (unsettled) continue;
      const open = await this.months.firstOpen(this.config.BILLING_CLOSES_AFTER_HOURS * HOUR_SECONDS);
      if (!open.isDue) return open.isOver ? this.draft(open.month, stopping) : undefined;
      const isClosed = await this.database.transaction(() => this.months.close(open.month));
      if (isClosed) this.logger.log({ month: open.month }, 'books of the month are closed');
    }
  }

  private async draft(month: string, stopping: AbortSignal): Promise<void> {
    let after: number | null = 0;
    while (after !== null && !stopping.aborted) {
      const tenants = await this.months.tenants(month, after, BATCH);
      await this.database.transaction(() => this.draw(month, tenants, false));
      after = next(tenants);
    }
  }

  private async issue(month: string, stopping: AbortSignal): Promise<void> {
    let after: number | null = 0;
    while (after !== null && !stopping.aborted) {
      const from: number = after;
      after = await this.database.transaction(() => this.issueBatch(month, from));
    }
  }

  /** Returns the last tenant of the batch; null at the end of the month. */
  private async issueBatch(month: string, after: TenantId): Promise<TenantId | null> {
    if (!(await this.months.lock(month))) return null;
    const tenants = await this.months.tenants(month, after, BATCH);
    await this.draw(month, tenants, true);
    const issued = await this.invoices.issue(month, tenants, this.config.INVOICE_DUE_DAYS);
    await this.mails.issued(issued);
    const goesOn = next(tenants);
    if (goesOn === null) await this.months.settle(month);
    return goesOn;
  }

  private async draw(month: string, tenants: readonly TenantId[], isFinal: boolean): Promise<void> {
    if (tenants.length === 0) return;
    await this.reports.draw(tenants, month, isFinal);
    await this.invoices.draft(month, tenants);
  }
}

const next = (tenants: readonly TenantId[]): TenantId | null =>
  tenants.length < BATCH ? null : (tenants.at(-1) ?? null);
