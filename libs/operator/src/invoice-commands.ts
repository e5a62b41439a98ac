import type { AuditType } from '@libs/domain';
import { INVOICE_STATUSES, InvoicePaymentsRepository, type InvoiceStatus } from '@libs/persistence/billing';
import { InvoiceCommandsRepository, type ClosedMonth, type OperatorInvoice } from '@libs/persistence/operator';
import { tenantPlace } from './operator-journal.js';
import { OperatorRefused } from './operator-refused.js';
import type { OperatorSession } from './operator-session.js';

export interface InvoiceFilter {
  tenantId: number | null;
  status: string | null;
  /** `2026-10`. */
  month: string | null;
  limit: number;
}

/** What an operator may make of an invoice. */
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
const MONTHS = 120;
const TEXT_LENGTH = 500;

/** Invoices of all tenants, and what an operator knows of their payment. A draft has no number and cannot be named. */
export class InvoiceCommands {
  private readonly rows: InvoiceCommandsRepository;
  private readonly payments: InvoicePaymentsRepository;

  constructor(private readonly session: OperatorSession) {
    this.rows = new InvoiceCommandsRepository(session.database);
    this.payments = new InvoicePaymentsRepository(session.database);
  }

  /** The newest month first. @throws OperatorRefused */
  async list({ status, ...filter }: InvoiceFilter): Promise<OperatorInvoice[]> {
    if (status !== null && !isStatus(status))
      throw new OperatorRefused(`There is no status ${status}. They are: ${INVOICE_STATUSES.join(', ')}`);
    return this.rows.list({ ...filter, status });
  }

  /** @throws OperatorRefused */
  async get(number: string): Promise<OperatorInvoice> {
    const invoice = await this.rows.find(number);
    if (!invoice) throw new OperatorRefused(`There is no invoice ${number}. List them: landlord ops invoices list`);
    return invoice;
  }

  /** The money is there, for good. `reference` is written down and told to nobody else. @throws OperatorRefused */
  pay(number: string, reference: string | null): Promise<OperatorInvoice> {
    const told = reference === null ? {} : { reference: checked('reference', reference) };
    return this.settle(number, 'paid', told, (id) => this.payments.pay(id));
  }

  /** The money does not come; the tenant reads the reason on the invoice. No card is tried again. @throws OperatorRefused */
  fail(number: string, reason: string): Promise<OperatorInvoice> {
    const told = checked('reason', reason);
    return this.settle(number, 'failed', { reason: told }, (id) => this.payments.fail(id, told, null));
  }

  /** Nothing is owed, for good; the number stays taken. @throws OperatorRefused */
  cancel(number: string, reason: string): Promise<OperatorInvoice> {
    return this.settle(number, 'cancelled', { reason: checked('reason', reason) }, (id) => this.payments.cancel(id));
  }

  /** Months whose books are closed, the newest first; ten years of them. */
  months(): Promise<ClosedMonth[]> {
    return this.rows.months(MONTHS);
  }

  private async settle(
    number: string,
    outcome: Outcome,
    told: object,
    write: (id: number) => Promise<boolean>,
  ): Promise<OperatorInvoice> {
    return this.session.database.transaction(async () => {
      // Two operators, or one and the charging of a card: whoever comes second waits here, and is told what it is by then.
      await this.rows.lock(number);
      const { id, tenant_id, month, total_usd, status } = await this.get(number);
      if (!NEXT[status].includes(outcome) || !(await write(id))) throw new OperatorRefused(refusal(number, status));
      const data = { invoice_id: id, number, month, total_usd, from_status: status, ...told };
      await this.session.journal.record({
        verb: `invoices ${VERBS[outcome]}`,
        subject: `invoice ${number}`,
        detail: data,
        audit: { type: AUDITS[outcome], place: tenantPlace(tenant_id), data },
      });
      return this.get(number);
    });
  }
}

const isStatus = (name: string): name is InvoiceStatus => (INVOICE_STATUSES as readonly string[]).includes(name);

function refusal(number: string, status: InvoiceStatus): string {
  if (NEXT[status].length === 0) return `Invoice ${number} is ${status}, and stays so.`;
  return `Invoice ${number} is ${status}; it can become: ${NEXT[status].join(', ')}.`;
}

function checked(name: string, text: string): string {
  const told = text.trim();
  if (told.length > 0 && told.length <= TEXT_LENGTH) return told;
  throw new OperatorRefused(`Give a ${name} of 1 to ${TEXT_LENGTH} characters.`);
}
