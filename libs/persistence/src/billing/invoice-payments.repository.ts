import { statement, type Database } from '../database.js';

/** An invoice that a card is to be charged for. */
export interface ChargeableInvoice {
  id: number;
  number: string;
  tenantId: number;
  /** USD. */
  totalUsd: string;
  /** What the gateway knows the card by; null when the tenant has no card any more. */
  reference: string | null;
  /** How often it was declined. */
  declines: number;
}

const TOTAL = `(select sum(l.compute_usd + l.storage_usd + l.transfer_usd)::text from billing_report_lines l
  where l.report_id = i.report_id)`;
// Whoever takes one has it for a quarter of an hour; should its process die, another asks the gateway with the same key.
const TAKE = statement(
  'invoice_payment.take',
  `with due as (
     select id from invoices where next_attempt_at <= now() and status in ('pending', 'failed')
      order by next_attempt_at, id limit $1 for update skip locked
   )
   update invoices i set next_attempt_at = now() + interval '15 minutes'
     from due where i.id = due.id
   returning i.id, i.number, i.tenant_id as "tenantId", i.declines, ${TOTAL} as "totalUsd",
     (select p.reference from payment_methods p where p.tenant_id = i.tenant_id and p.provider = 'card') as reference`,
);
const OPEN = `status in ('pending', 'failed')`;
const PAY = statement(
  'invoice_payment.pay',
  `update invoices set status = 'paid', settled_at = now(), next_attempt_at = null, failure = null where id = $1 and ${OPEN}`,
);
const FAIL = statement(
  'invoice_payment.fail',
  `update invoices
      set status = 'failed', failure = $2, declines = declines + 1, next_attempt_at = now() + make_interval(secs => $3)
    where id = $1 and ${OPEN}`,
);
const CANCEL = statement(
  'invoice_payment.cancel',
  `update invoices set status = 'cancelled', settled_at = now(), next_attempt_at = null where id = $1 and ${OPEN}`,
);

/** How invoices come to be paid. What is paid or cancelled stays so. */
export class InvoicePaymentsRepository {
  constructor(private readonly database: Database) {}

  /** Takes invoices that a card is to be charged for now, each for itself alone. */
  async take(limit: number): Promise<ChargeableInvoice[]> {
    return this.database.query<ChargeableInvoice>(TAKE, [limit]);
  }

  /** False when it was not open any more. */
  async pay(id: number): Promise<boolean> {
    return (await this.database.execute(PAY, [id])) === 1;
  }

  /** `retrySeconds`: when to try again; null for never. False when it was not open any more. */
  async fail(id: number, reason: string, retrySeconds: number | null): Promise<boolean> {
    return (await this.database.execute(FAIL, [id, reason, retrySeconds])) === 1;
  }

  /** False when it was not open any more. */
  async cancel(id: number): Promise<boolean> {
    return (await this.database.execute(CANCEL, [id])) === 1;
  }
}
