import { Injectable } from '@nestjs/common';
import type { TenantId } from '@libs/domain';
import { statement, Database } from '../database.js';

/** The first calendar month (UTC) whose accounts are open. */
export interface OpenMonth {
  /** The first day of the month, `2026-10-01`. */
  month: string;
  /** The month is over. Metered usage of the month can still arrive. */
  isOver: boolean;
  /** The month has been over for longer than the accounts stay open. */
  isDue: boolean;
}

const END = `(m.month + interval '1 month')::timestamp at time zone 'utc'`;

const OPEN = statement(
  'billing_month.open',
  `select m.month::text as month, ${END} <= now() as "isOver", ${END} + make_interval(secs => $1) <= now() as "isDue"
     from (select (max(month) + interval '1 month')::date as month from billing_months) m`,
);
const PATIENCE = statement('billing_month.patience', `select set_config('lock_timeout', '10s', true)`);
const LOCK_BOOKS = statement(
  'billing_month.lock_books',
  `select pg_advisory_xact_lock(hashtextextended('landlord.books', 0))`,
);
const CLOSE = statement(
  'billing_month.close',
  `insert into billing_months (month) select $1::date
    where $1::date = (select max(month) + interval '1 month' from billing_months) on conflict (month) do nothing`,
);
const UNSETTLED = statement(
  'billing_month.unsettled',
  'select month::text as month from billing_months where settled_at is null order by month limit 1',
);
const LOCK = statement(
  'billing_month.lock',
  'select month from billing_months where month = $1 and settled_at is null for update',
);
const SETTLE = statement(
  'billing_month.settle',
  'update billing_months set settled_at = now() where month = $1 and settled_at is null',
);
// Includes deleted tenants, because they are charged until their end. Skips tenants that never had a deployment. Each tenant
// has its own subquery, in id order: a join would read the reports of all months for each batch.
const TENANTS = statement(
  'billing_month.tenants',
  `select t.id from tenants t
    where t.id > $2 and (select true from deployments d where d.tenant_id = t.id limit 1)
      and (select r.is_final from billing_reports r where r.tenant_id = t.id and r.month = $1) is not true
    order by t.id limit $3`,
);

/** The months with closed accounts. No more usage is charged to them. */
@Injectable()
export class BillingMonthsRepository {
  constructor(private readonly database: Database) {}

  /** `patienceSeconds`: how long the accounts stay open after the end of a month. */
  async firstOpen(patienceSeconds: number): Promise<OpenMonth> {
    const [row] = await this.database.query<OpenMonth>(OPEN, [patienceSeconds]);
    return row as OpenMonth;
  }

  /**
   * Closes the accounts of the month after the last closed month, and of no other month. Run it in a transaction: it waits for
   * all transactions that write metered usage, and later ones find the month closed. Returns false if the month was already
   * closed.
   */
  async close(month: string): Promise<boolean> {
    await this.database.query(PATIENCE);
    await this.database.query(LOCK_BOOKS);
    return (await this.database.execute(CLOSE, [month])) === 1;
  }

  /** The oldest closed month that lacks some of its reports and invoices. Null for none. */
  async firstUnsettled(): Promise<string | null> {
    return (await this.database.first<{ month: string }>(UNSETTLED))?.month ?? null;
  }

  /** Locks the month, so that only this transaction issues its invoices. Returns false when all invoices are issued. */
  async lock(month: string): Promise<boolean> {
    return (await this.database.query(LOCK, [month])).length > 0;
  }

  async settle(month: string): Promise<void> {
    await this.database.execute(SETTLE, [month]);
  }

  /** The next tenants after `afterId` that may have charges in the month and have no final report for it. */
  async tenants(month: string, afterId: TenantId, limit: number): Promise<TenantId[]> {
    const rows = await this.database.query<{ id: TenantId }>(TENANTS, [month, afterId, limit]);
    return rows.map(({ id }) => id);
  }
}
