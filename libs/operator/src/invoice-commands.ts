import type { AuditType, InvoiceId, TenantId } from '@libs/domain';
import { INVOICE_STATUSES, InvoicePaymentsRepository, type InvoiceStatus } from '@libs/persistence/billing';
import { InvoiceCommandsRepository, type ClosedMonth, type OperatorInvoice } from '@libs/persistence/operator';
import { tenantContext } from './operator-journal.js';
import { OperatorRefused } from './operator-refused.js';
import type { OperatorSession } from './operator-session.js';

export interface InvoiceFilter {
  tenantId: TenantId | null;
  status: string | null;
  /** `2026-10`. */
  month: string | null;
  limit: number;
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
const MONTHS = 120;
const TEXT_LENGTH = 500;

/** Invoices of all tenants, and payments that an operator records. A draft has no number and cannot be addressed. */
export class InvoiceCommands {
  private readonly rows: InvoiceCommandsRepository;
  private readonly payments: InvoicePaymentsRepository;

  constructor(private readonly session: OperatorSession) {
    this.rows = new InvoiceCommandsRepository(session.database);
    this.payments = new InvoicePaymentsRepository(session.database);
  }

  /** Newest month first. @throws OperatorRefused */
  async list({ status, ...filter }: InvoiceFilter): Promise<OperatorInvoice[]> {
    if (status !== null && !isStatus(status))
      throw new OperatorRefused(`There is no status ${status}. The statuses are: ${INVOICE_STATUSES.join(', ')}`);
    return this.rows.list({ ...filter, status });
  }

  /** @throws OperatorRefused */
  async get(number: string): Promise<OperatorInvoice> {
    const invoice = await this.rows.find(number);
    if (!invoice)
      throw new OperatorRefused(`There is no invoice ${number}. List all invoices: landlord ops invoices list`);
    return invoice;
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
    return this.rows.months(MONTHS);
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
      await this.rows.lock(number);
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
