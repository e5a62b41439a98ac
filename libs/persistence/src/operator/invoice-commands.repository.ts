import { Injectable } from '@nestjs/common';
import type { TenantId } from '@libs/domain';
import type { InvoiceStatus } from '../billing/index.js';
import { statement, Database } from '../database.js';
import type { Invoice } from '../billing/entities/invoice.entity.js';
import type { Tenant } from '../organization/entities/tenant.entity.js';
import type { BillingMonth } from '../billing/entities/billing-month.entity.js';

/** An invoice of any tenant as operator commands show it. Money: decimal USD. */
export interface OperatorInvoice extends Pick<
  Invoice,
  | 'id'
  | 'number'
  | 'tenant_id'
  | 'status'
  | 'provider'
  | 'issued_at'
  | 'due_at'
  | 'settled_at'
  | 'failure'
  | 'declines'
  | 'next_attempt_at'
  | 'bill_to'
> {
  tenant_name: Tenant['name'];
  /** `2026-10`. */
  month: string;
  total_usd: string;
  /** Number of charged deployments. */
  lines: number;
}

export interface OperatorInvoiceFilter {
  tenantId: TenantId | null;
  status: InvoiceStatus | null;
  /** `2026-10`. */
  month: string | null;
  limit: number;
}

/** A month with closed accounts. */
export interface ClosedMonth extends Pick<BillingMonth, 'closed_at' | 'settled_at' | 'invoices'> {
  /** `2026-10`. */
  month: string;
  /** The total of these invoices in decimal USD. */
  total_usd: string;
}

const COLUMNS = `i.id, i.number, i.tenant_id, t.name as tenant_name, to_char(i.month, 'YYYY-MM') as month, i.status, i.provider,
  s.total_usd, s.lines, i.issued_at, i.due_at, i.settled_at, i.failure, i.declines, i.next_attempt_at, i.bill_to`;
const SUM = `coalesce(sum(l.compute_usd + l.storage_usd + l.transfer_usd), 0.00)::text as total_usd`;
const WITH_SUM = `join tenants t on t.id = i.tenant_id cross join lateral (
  select ${SUM}, count(*)::int as lines from billing_report_lines l where l.report_id = i.report_id) s`;

const LIST = statement(
  'operator.invoices',
  `with found as (
     select * from invoices
      where ($1::bigint is null or tenant_id = $1) and ($2::text is null or status = $2) and ($3::date is null or month = $3)
      order by month desc, id desc limit $4
   )
   select ${COLUMNS} from found i ${WITH_SUM} order by i.month desc, i.id desc`,
);
const FIND = statement('operator.invoice', `select ${COLUMNS} from invoices i ${WITH_SUM} where i.number = $1`);
const LOCK = statement('operator.lock_invoice', 'select id from invoices where number = $1 for update');
const MONTHS = statement(
  'operator.months',
  `select to_char(m.month, 'YYYY-MM') as month, m.closed_at, m.settled_at, m.invoices, s.total_usd
     from (select * from billing_months order by month desc limit $1) m
     cross join lateral (
       select ${SUM} from invoices i join billing_report_lines l on l.report_id = i.report_id
        where i.month = m.month and i.number is not null) s
    order by m.month desc`,
);
// The first month without all its invoices: a closed month, otherwise the open month.
const OVERDUE = statement(
  'operator.overdue_month',
  `select to_char(m.month, 'YYYY-MM') as month
     from (select coalesce(min(month) filter (where settled_at is null), max(month) + interval '1 month')::date as month
             from billing_months) m
    where (m.month + interval '1 month')::timestamp at time zone 'utc' + make_interval(hours => $1) <= now()`,
);

/** Reads invoices of all tenants. The repositories in `billing` change them. */
@Injectable()
export class InvoiceCommandsRepository {
  constructor(private readonly database: Database) {}

  /** Newest month first. */
  async list({ tenantId, status, month, limit }: OperatorInvoiceFilter): Promise<OperatorInvoice[]> {
    const day = month === null ? null : `${month}-01`;
    return this.database.query<OperatorInvoice>(LIST, [tenantId, status, day, limit]);
  }

  async find(number: string): Promise<OperatorInvoice | null> {
    const [row] = await this.database.query<OperatorInvoice>(FIND, [number]);
    return row ?? null;
  }

  /** Locks the invoice until the transaction ends, so that a later read in the transaction stays valid. */
  async lock(number: string): Promise<void> {
    await this.database.query(LOCK, [number]);
  }

  /** Newest first. */
  async months(limit: number): Promise<ClosedMonth[]> {
    return this.database.query<ClosedMonth>(MONTHS, [limit]);
  }

  /** The oldest month, as `2026-10`, that has been over for `hours` hours and lacks invoices. Null for none. */
  async overdueMonth(hours: number): Promise<string | null> {
    const [row] = await this.database.query<{ month: string }>(OVERDUE, [hours]);
    return row?.month ?? null;
  }
}
