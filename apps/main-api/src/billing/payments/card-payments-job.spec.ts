import { Logger } from '@nestjs/common';
import { InvoicesRepository, type Invoice, InvoicePaymentsRepository } from '@libs/persistence/billing';
import { SilentJobTimer } from '@libs/queue';
import { JobScheduler } from '@libs/workflow';
import { IncidentsRepository } from '@libs/persistence/platform';
import { BillingBench, type TestTenant } from '../../../test/billing.fixture.js';
import { CardPaymentsJob } from './card-payments-job.js';
import { anInMemoryGateway, type InMemoryGateway } from '../../../test/in-memory-gateway.fixture.js';
import { NoPaymentGateway } from './no-payment-gateway.js';
import type { PaymentGateway } from './payment-gateway.js';

describe('An invoice that is paid by card', () => {
  let bench: BillingBench;
  let gateway: InMemoryGateway;
  let tenant: TestTenant;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    bench = await BillingBench.open();
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    ({ gateway } = await anInMemoryGateway());
    tenant = await bench.tenant();
  });

  it('is charged once by several workers', async () => {
    await owed('card-good');

    await Promise.all([charge(), charge(), charge()]);
    await charge();

    expect(gateway.payments).toEqual([expect.objectContaining({ reference: 'card-good', amountUsd: '12.30' })]);
    expect(await invoice()).toMatchObject({ status: 'paid', settledAt: expect.any(Date), failure: null });
  });

  it('is charged once after a lost answer of the gateway, and retried while the gateway was unavailable', async () => {
    await owed('card-good');
    gateway.losesNextAnswer = true;
    await charge();
    expect(await invoice()).toMatchObject({ status: 'pending' });
    gateway.isAway = true;
    await later();
    await charge();
    gateway.isAway = false;

    await later();
    await charge();

    expect(gateway.payments).toHaveLength(1);
    expect(await invoice()).toMatchObject({ status: 'paid' });
  });

  it('fails when the card is declined, is retried three times, and is paid with a new card', async () => {
    await owed('card-declining');
    const days: (number | null)[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await charge();
      days.push(await daysToNext());
      await later();
    }

    expect(days).toEqual([1, 3, 7, null, null]);
    expect(await invoice()).toMatchObject({ status: 'failed', failure: 'was declined by its bank' });

    const other = await bench.tenant();
    tenant = other;
    await owed('card-declining');
    await charge();
    await bench.rows(`update payment_methods set reference = 'card-good' where tenant_id = $1`, [tenant.tenantId]);
    await later();
    await charge();
    expect(await invoice()).toMatchObject({ status: 'paid' });
  });

  it('fails when the tenant no longer has a card', async () => {
    await owed('card-good');
    await bench.rows('delete from payment_methods where tenant_id = $1', [tenant.tenantId]);

    await charge();

    expect(await invoice()).toMatchObject({ status: 'failed', failure: 'there is no card any more' });
    expect(await daysToNext()).toBeNull();
  });

  it('keeps the status that an operator set during the charge, and an incident requests a refund', async () => {
    await owed('card-good');
    const slow = gateway.charge.bind(gateway);
    gateway.charge = async (charge) => {
      await bench.rows(`update invoices set status = 'cancelled', next_attempt_at = null where tenant_id = $1`, [
        tenant.tenantId,
      ]);
      return slow(charge);
    };

    await charge();

    expect(await invoice()).toMatchObject({ status: 'cancelled' });
    expect(await bench.rows(`select subject, detail from incidents where kind = 'paid_twice'`)).toEqual([
      { subject: expect.stringMatching(/^invoice /), detail: expect.stringMatching(/pay it back$/) },
    ]);
  });

  it('waits without a gateway', async () => {
    await owed('card-good');

    await charge(new NoPaymentGateway());

    expect(await invoice()).toMatchObject({ status: 'pending' });
    expect(await daysToNext()).toBe(0);
  });

  const charge = (by: PaymentGateway = gateway): Promise<void> =>
    new CardPaymentsJob(
      new JobScheduler(bench.workflow.database, new SilentJobTimer(), { queue: 'none' }),
      new InvoicePaymentsRepository(bench.workflow.database),
      new IncidentsRepository(bench.workflow.database),
      by,
    ).run(new AbortController().signal);

  /** Makes all pending attempts due now. */
  const later = () => bench.rows('update invoices set next_attempt_at = now() where next_attempt_at is not null');

  async function owed(card: string): Promise<void> {
    await bench.rows('update invoices set next_attempt_at = null');
    await bench.rows(`insert into payment_methods (tenant_id, provider, reference) values ($1, 'card', $2)`, [
      tenant.tenantId,
      card,
    ]);
    await bench.rows(
      `with report as (
         insert into billing_reports (tenant_id, month, is_final) values ($1, '2026-01-01', true) returning id
       ), line as (
         insert into billing_report_lines
         select id, 1, 'orders', 'aaaaaaaa', 1, 'Default', 1, 'sandbox', 730, 73000, 0, 10, 2.30, 0, '[]' from report
       )
       insert into invoices (report_id, tenant_id, month, status, number, provider, bill_to, issued_at, due_at, next_attempt_at)
       select id, $1, '2026-01-01', 'pending', '2026-01-' || id, 'card', '{"tenant":"Ours"}', now(), now(), now() from report`,
      [tenant.tenantId],
    );
  }

  async function invoice(): Promise<Invoice | undefined> {
    const scope = { tenantId: tenant.tenantId, divisionScope: null };
    return (await new InvoicesRepository(bench.workflow.database).list(scope, null, { page: 1, results: 1 })).items[0];
  }

  async function daysToNext(): Promise<number | null> {
    const [row] = await bench.rows<{ days: number | null }>(
      `select round(extract(epoch from next_attempt_at - now()) / 86400)::int as days from invoices where tenant_id = $1`,
      [tenant.tenantId],
    );
    return row?.days ?? null;
  }
});
