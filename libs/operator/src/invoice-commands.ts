import type { AuditType, InvoiceId, TenantId } from '@libs/domain';
import { statement } from '@libs/persistence';
import { INVOICE_STATUSES, InvoicePaymentsRepository, type InvoiceStatus } from '@libs/persistence/billing';
import type { BillingMonth, Invoice } from '@libs/persistence/operator';
import type { Tenant } from '@libs/persistence/organization';
import { tenantContext } from './operator-journal.js';
import { existing, OperatorRefused } from './operator-refused.js';
import type { OperatorSession } from './operator-session.js';

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

export interface InvoiceFilter {
  tenantId: TenantId | null;
  status: string | null;
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

/** The statuses that an operator can set. */
type Outcome = Extract<InvoiceStatus, 'paid' | 'failed' | 'cancelled'>;

const NEXT: Record<InvoiceStatus, readonly Outcome[]> = {
  draft: [],
  pending: ['paid', 'failed', 'cancelled'],
  failed: ['paid', 'cancelled'],
  paid: [],
  cancelled: [],
};
const VERBS: Record<Outcome, string> = { paid: 'paid', failed: 'failed', cancelled: 'cancel' };
const AUDITS = {
  paid: 'invoice_paid',
  failed: 'invoice_failed',
  cancelled: 'invoice_cancelled',
} as const satisfies Record<Outcome, AuditType>;
const MOST_MONTHS = 120;
const TEXT_LENGTH = 500;

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

/** Invoices of all tenants, and payments that an operator records. A draft has no number and cannot be addressed. */
export class InvoiceCommands {
  private readonly payments: InvoicePaymentsRepository;

  constructor(private readonly session: OperatorSession) {
    this.payments = new InvoicePaymentsRepository(session.database);
  }

  /** Newest month first. @throws OperatorRefused */
  async list({ tenantId, status, month, limit }: InvoiceFilter): Promise<OperatorInvoice[]> {
    if (status !== null && !isStatus(status))
      throw new OperatorRefused(`There is no status ${status}. The statuses are: ${INVOICE_STATUSES.join(', ')}`);
    const day = month === null ? null : `${month}-01`;
    return this.session.database.query<OperatorInvoice>(LIST, [tenantId, status, day, limit]);
  }

  /** @throws OperatorRefused */
  async get(number: string): Promise<OperatorInvoice> {
    const [invoice] = await this.session.database.query<OperatorInvoice>(FIND, [number]);
    return existing(invoice, 'invoice', number, 'landlord ops invoices list');
  }

  /** Records the payment, which is final. `reference` is recorded and not shown to the tenant. @throws OperatorRefused */
  pay(number: string, reference: string | null): Promise<OperatorInvoice> {
    const recorded = reference === null ? {} : { reference: checked('reference', reference) };
    return this.settle(number, 'paid', recorded, (id) => this.payments.payUnscoped(id));
  }

  /**
   * Records that the payment failed. The tenant sees the reason on the invoice. No card is charged again. @throws
   * OperatorRefused
   */
  fail(number: string, reason: string): Promise<OperatorInvoice> {
    const recorded = checked('reason', reason);
    return this.settle(number, 'failed', { reason: recorded }, (id) => this.payments.failUnscoped(id, recorded, null));
  }

  /** Cancels the debt, which is final. The number is not reused. @throws OperatorRefused */
  cancel(number: string, reason: string): Promise<OperatorInvoice> {
    return this.settle(number, 'cancelled', { reason: checked('reason', reason) }, (id) =>
      this.payments.cancelUnscoped(id),
    );
  }

  /** Months with closed accounts, newest first, up to ten years. */
  months(): Promise<ClosedMonth[]> {
    return this.session.database.query<ClosedMonth>(MONTHS, [MOST_MONTHS]);
  }

  /** The oldest month, as `2026-10`, that has been over for `hours` hours and lacks invoices. Null for none. */
  async overdueMonth(hours: number): Promise<string | null> {
    const [row] = await this.session.database.query<{ month: string }>(OVERDUE, [hours]);
    return row?.month ?? null;
  }

  private async settle(
    number: string,
    outcome: Outcome,
    recorded: object,
    write: (id: InvoiceId) => Promise<boolean>,
  ): Promise<OperatorInvoice> {
    return this.session.database.transaction(async () => {
      // Two operators, or an operator and the charge of a card, may act at once. The second waits here and then gets the new
      // status.
      await this.session.database.query(LOCK, [number]);
      const { id, tenant_id, month, total_usd, status } = await this.get(number);
      if (!NEXT[status].includes(outcome) || !(await write(id))) throw new OperatorRefused(refusal(number, status));
      const data = { invoice_id: id, number, month, total_usd, from_status: status, ...recorded };
      await this.session.journal.record({
        verb: `invoices ${VERBS[outcome]}`,
        subject: `invoice ${number}`,
        detail: data,
        audit: { type: AUDITS[outcome], context: tenantContext(tenant_id), data },
      });
      return this.get(number);
    });
  }
}

const isStatus = (name: string): name is InvoiceStatus => (INVOICE_STATUSES as readonly string[]).includes(name);

function refusal(number: string, status: InvoiceStatus): string {
  if (NEXT[status].length === 0) return `Invoice ${number} is ${status}. This status is final.`;
  return `Invoice ${number} is ${status}. Its status can change to: ${NEXT[status].join(', ')}.`;
}

function checked(name: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed.length > 0 && trimmed.length <= TEXT_LENGTH) return trimmed;
  throw new OperatorRefused(`The ${name} must have 1 to ${TEXT_LENGTH} characters.`);
}
