import { Injectable } from '@nestjs/common';
import type { InvoiceId, TenantId } from '@libs/domain';
import { statement, Database } from '../database.js';
import type { Invoice } from './entities/invoice.entity.js';

/** An invoice that is due for a charge to a card. */
export interface ChargeableInvoice extends Pick<Invoice, 'id' | 'declines'> {
  number: string;
  tenantId: TenantId;
  /** USD. */
  totalUsd: string;
  /** The reference of the card at the payment gateway. Null when the tenant no longer has a card. */
  reference: string | null;
}

const TOTAL = `(select sum(l.compute_usd + l.storage_usd + l.transfer_usd)::text from billing_report_lines l
  where l.report_id = i.report_id)`;
// The process that takes an invoice has it for 15 minutes. If the process dies, another process calls the gateway with the same
// key.
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

/** Payment states of invoices. The states paid and cancelled are final. */
@Injectable()
export class InvoicePaymentsRepository {
  constructor(private readonly database: Database) {}

  /** Takes invoices that are due for a charge to a card. No other process gets the same invoices. */
  async take(limit: number): Promise<ChargeableInvoice[]> {
    return this.database.query<ChargeableInvoice>(TAKE, [limit]);
  }

  /** Returns false when the invoice was no longer open. */
  async payUnscoped(id: InvoiceId): Promise<boolean> {
    return (await this.database.execute(PAY, [id])) === 1;
  }

  /** `retrySeconds`: time until the next attempt; null for none. Returns false when the invoice was no longer open. */
  async failUnscoped(id: InvoiceId, reason: string, retrySeconds: number | null): Promise<boolean> {
    return (await this.database.execute(FAIL, [id, reason, retrySeconds])) === 1;
  }

  /** Returns false when the invoice was no longer open. */
  async cancelUnscoped(id: InvoiceId): Promise<boolean> {
    return (await this.database.execute(CANCEL, [id])) === 1;
  }
}
