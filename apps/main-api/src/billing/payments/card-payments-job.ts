import { Injectable } from '@nestjs/common';
import { InvoicePaymentsRepository, type ChargeableInvoice } from '@libs/persistence/billing';
import { IncidentsRepository } from '@libs/persistence/platform';
import { ScheduledJob, JobScheduler } from '@libs/workflow';
import { PaymentGateway } from './payment-gateway.js';
import { PaymentGatewayError } from './payment-gateway-error.js';

const BATCH = 20;
const DAY_SECONDS = 86_400;
/** Days until the next attempt after the first, second and third decline. After that a person must act. */
const RETRY_DAYS = [1, 3, 7];

/**
 * Charges the cards of tenants that pay by card, once for each invoice. An invoice is taken before the call to the
 * gateway, and its key stays the same until the result is stored. So after a crash in between, the next call uses the
 * same key, which cannot charge twice.
 */
@Injectable()
export class CardPaymentsJob extends ScheduledJob {
  constructor(
    scheduler: JobScheduler,
    private readonly payments: InvoicePaymentsRepository,
    private readonly incidents: IncidentsRepository,
    private readonly gateway: PaymentGateway,
  ) {
    super(scheduler, 'card_payments', '5m');
  }

  async run(stopping: AbortSignal): Promise<void> {
    if (this.gateway.provider === null) return;
    while (!stopping.aborted) {
      const payments = await this.payments.take(BATCH);
      for (const invoice of payments) await this.settle(invoice);
      if (payments.length < BATCH) return;
    }
  }

  private async settle(invoice: ChargeableInvoice): Promise<void> {
    if (invoice.reference === null) return this.decline(invoice, 'there is no card any more', null);
    try {
      const answer = await this.gateway.charge({
        idempotencyKey: `invoice-${invoice.number}-${invoice.declines + 1}`,
        reference: invoice.reference,
        amountUsd: invoice.totalUsd,
        description: `Invoice ${invoice.number}`,
      });
      if (answer.outcome === 'paid') await this.paid(invoice, answer.paymentId);
      else await this.decline(invoice, answer.reason, RETRY_DAYS[invoice.declines] ?? null);
    } catch (error) {
      if (!(error instanceof PaymentGatewayError)) throw error;
      this.logger.warn({ invoice: invoice.number, fault: error.fault, err: error }, 'a card was not charged');
      // The result is unknown. The charge is repeated with the same key when the invoice is due again.
      if (error.isRetryable) return;
      await this.decline(invoice, 'the card gateway does not understand the charge', null);
    }
  }

  /** An operator may have settled the invoice during the charge. Then the payment must be refunded. */
  private async paid({ id, number }: ChargeableInvoice, paymentId: string): Promise<void> {
    if (await this.payments.payUnscoped(id)) return;
    const detail = `payment ${paymentId} was made for it, and it was settled otherwise meanwhile: pay it back`;
    const opened = await this.incidents.open([{ kind: 'paid_twice', subject: `invoice ${number}`, detail }]);
    for (const incident of opened) this.logger.error({ ...incident }, 'a card was charged for a settled invoice');
  }

  private async decline({ id }: ChargeableInvoice, reason: string, days: number | null): Promise<void> {
    await this.payments.failUnscoped(id, reason, days === null ? null : days * DAY_SECONDS);
  }
}
