import { Injectable } from '@nestjs/common';
import type { BillingReportId, InvoiceId, TenantId } from '@libs/domain';
import { statement, Database } from '../database.js';
import { byTime, paged, readPage, type PageOf, type PageRequest } from '../page-of.js';
import { chargeColumns, type BillingScope, type Charges } from './charge-line.js';
import { SEEN_LINES, SEEN_SUMS } from './reports.repository.js';
import type { Invoice as InvoiceEntity } from './entities/invoice.entity.js';

export const INVOICE_STATUSES = ['draft', 'pending', 'paid', 'failed', 'cancelled'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** The amount that a tenant owes for one calendar month (UTC). Its lines are the lines of the month's report. */
export interface Invoice extends Charges, Pick<InvoiceEntity, 'id' | 'status' | 'number' | 'provider' | 'failure'> {
  reportId: BillingReportId;
  /** `2026-10`. */
  month: string;
  billTo: InvoiceEntity['bill_to'];
  issuedAt: Date | null;
  dueAt: Date | null;
  /** When the invoice was paid or cancelled. */
  settledAt: Date | null;
  lineCount: number;
}

/** An invoice that was just issued, and the recipient of its mail. */
export interface IssuedInvoice extends Pick<InvoiceEntity, 'id' | 'provider'> {
  number: string;
  tenantId: TenantId;
  tenantName: string;
  /** `2026-10`. */
  month: string;
  dueAt: Date;
  totalUsd: string;
  /** The address for invoices, or the address of the owner. */
  email: string;
}

const BILL_TO = `select jsonb_build_object('tenant', t.name, 'company', nullif(b.company, ''), 'email', b.email, 'address', b.address,
    'tax_id', nullif(b.tax_id, ''), 'purchase_order', coalesce(nullif(b.purchase_order, ''), (
      select nullif(p.reference, '') from payment_methods p where p.tenant_id = t.id and p.provider = 'manual')))
  from tenants t left join billing_infos b on b.tenant_id = t.id where t.id = r.tenant_id`;
// A month without cost gets no invoice.
const DRAFT = statement(
  'invoice.draft',
  `insert into invoices as i (report_id, tenant_id, month, status, bill_to)
   select r.id, r.tenant_id, r.month, 'draft', (${BILL_TO})
     from billing_reports r
    where r.month = $1 and r.tenant_id = any($2) and exists (
            select from billing_report_lines l
             where l.report_id = r.id and l.compute_usd + l.storage_usd + l.transfer_usd > 0)
   on conflict (report_id) do update set bill_to = excluded.bill_to where i.status = 'draft'`,
);
// Invoice numbers have no gaps. The transaction that issues has locked the month, and it stores the counter together with the
// rows.
const ISSUE = statement(
  'invoice.issue',
  `with drafted as (
     select i.id, row_number() over (order by i.tenant_id) as place,
            (select p.provider from payment_methods p where p.tenant_id = i.tenant_id) as provider
       from invoices i where i.month = $1 and i.tenant_id = any($2) and i.status = 'draft'
   ), counter as (
     update billing_months set invoices = invoices + (select count(*) from drafted) where month = $1
     returning invoices - (select count(*) from drafted) as earlier
   )
   update invoices i
      set status = 'pending', number = to_char(i.month, 'YYYY-MM') || '-' || lpad((earlier + place)::text, greatest(6, length((earlier + place)::text)), '0'),
          provider = d.provider, issued_at = now(), due_at = now() + make_interval(days => $3),
          next_attempt_at = case d.provider when 'card' then now() end
     from drafted d cross join counter, tenants t join users u on u.id = t.owner_id
    where i.id = d.id and t.id = i.tenant_id
   returning i.id, i.number, i.tenant_id as "tenantId", t.name as "tenantName", to_char(i.month, 'YYYY-MM') as month, i.provider,
     i.due_at as "dueAt", coalesce(i.bill_to ->> 'email', u.email) as email,
     (select sum(l.compute_usd + l.storage_usd + l.transfer_usd)::text from billing_report_lines l
       where l.report_id = i.report_id) as "totalUsd"`,
);

const VISIBLE = `i.tenant_id = $1 and ($2::bigint is null or exists (
  select from billing_reports r join billing_report_lines l on ${SEEN_LINES} where r.id = i.report_id))`;
const FILTERED = `${VISIBLE} and ($3::text is null or i.status = $3)`;
const COLUMNS = `i.id, r.id as "reportId", to_char(r.month, 'YYYY-MM') as month, i.status, i.number, i.provider,
  i.bill_to as "billTo", i.issued_at as "issuedAt", i.due_at as "dueAt", i.settled_at as "settledAt", i.failure,
  s.lines as "lineCount", ${chargeColumns('s')}`;
const LIST = paged('invoice.list', {
  columns: 'i.*',
  rows: `from invoices i where ${FILTERED}`,
  id: 'i.id',
  keys: { month: byTime("i.month::timestamp at time zone 'utc'") },
  usual: '-month',
  around: (page, order) =>
    `with i as (${page})
     select ${COLUMNS}, i.total, i.cursor_value, i.cursor_id
       from i join billing_reports r on r.id = i.report_id ${SEEN_SUMS} ${order}`,
});
const FIND = statement(
  'invoice.find',
  `select ${COLUMNS} from invoices i join billing_reports r on r.id = i.report_id ${SEEN_SUMS} where ${VISIBLE} and i.id = $3`,
);

@Injectable()
export class InvoicesRepository {
  constructor(private readonly database: Database) {}

  /** Creates the drafts of the month for these tenants. Updates the addressee of existing drafts. */
  async draft(month: string, tenantIds: readonly TenantId[]): Promise<void> {
    await this.database.execute(DRAFT, [month, tenantIds]);
  }

  /** Assigns numbers to the drafts and makes them due. The same transaction must have locked the month. */
  async issue(month: string, tenantIds: readonly TenantId[], dueDays: number): Promise<IssuedInvoice[]> {
    return this.database.query<IssuedInvoice>(ISSUE, [month, tenantIds, dueDays]);
  }

  /** The newest month first. */
  async list(scope: BillingScope, status: InvoiceStatus | null, request: PageRequest): Promise<PageOf<Invoice>> {
    const values = [scope.tenantId, scope.divisionScope, status];
    return readPage<Invoice>(this.database, LIST, values, request);
  }

  async find({ tenantId, divisionScope }: BillingScope, id: InvoiceId): Promise<Invoice | null> {
    return this.database.first<Invoice>(FIND, [tenantId, divisionScope, id]);
  }
}
