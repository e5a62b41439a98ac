import { InvoiceCommands } from './invoice-commands.js';
import { OperatorRefused } from './operator-refused.js';
import { OperatorSession } from './operator-session.js';
import { OperatorBench } from '../test/operator.fixture.js';

const ALL = { tenantId: null, status: null, month: null, limit: 50 };
type Status = 'draft' | 'pending' | 'paid' | 'failed' | 'cancelled';

describe('Invoice commands', () => {
  let bench: OperatorBench;
  let commands: InvoiceCommands;
  let count = 0;

  beforeAll(async () => {
    bench = await OperatorBench.open();
    commands = new InvoiceCommands(bench.session);
  });
  afterAll(() => bench.close());
  // Triggers protect the audit from TRUNCATE. They do not run in the replica role.
  beforeEach(() =>
    bench.rows(`begin; set local session_replication_role = replica;
      truncate operator_actions, audit_entries, invoices, billing_report_lines, billing_reports; commit`),
  );

  /** An invoice of its own month, with two lines of 1.25 USD and 2 cents. Returns its number. */
  async function invoice(status: Status, provider = 'manual', month?: string): Promise<string> {
    count += 1;
    const first = month ?? `20${10 + count}-10`;
    const [row] = await bench.rows<{ number: string }>(
      `with report as (
         insert into billing_reports (tenant_id, month, is_final) values ($1, $2::date, true) returning id
       ), line as (
         insert into billing_report_lines (report_id, deployment_id, deployment_name, deployment_code, division_id, division_name,
           environment_id, environment_name, compute_hours, storage_gb_hours, transfer_gb, compute_usd, storage_usd, transfer_usd, periods)
         select id, n, 'd', 'd', 1, 'v', 1, 'e', 1, 1, 1, 1.00, 0.25, n * 0.02 - 0.02, '[]' from report, generate_series(1, 2) n
       )
       insert into invoices (report_id, tenant_id, month, status, number, provider, bill_to, next_attempt_at)
       select id, $1, $2::date, $3, $4, $5, '{"tenant": "My organization"}', case $5 when 'card' then now() end from report
       returning number`,
      [bench.tenantId, `${first}-01`, status, status === 'draft' ? null : `${first}-000001`, provider],
    );
    return row?.number ?? '';
  }
  const stateOf = async (number: string) =>
    (
      await bench.rows(
        `select status, failure, settled_at is not null as settled, next_attempt_at is not null as tried from invoices where number = $1`,
        [number],
      )
    )[0];
  const act = (status: Status, number: string, by = commands) =>
    status === 'paid'
      ? by.pay(number, 'wire 4711')
      : status === 'failed'
        ? by.fail(number, 'The bank sent it back.')
        : by.cancel(number, 'Made in error.');

  it('lists invoices by tenant, month and status', async () => {
    const paid = await invoice('paid', 'manual', '2026-09');
    const open = await invoice('pending', 'manual', '2026-10');
    await invoice('draft', 'manual', '2026-11');
    const numbers = async (filter: object) => (await commands.list({ ...ALL, ...filter })).map(({ number }) => number);

    expect(await numbers({})).toEqual([null, open, paid]);
    expect(await numbers({ limit: 1 })).toEqual([null]);
    expect(await numbers({ status: 'paid' })).toEqual([paid]);
    expect(await numbers({ month: '2026-10', tenantId: bench.tenantId })).toEqual([open]);
    expect(await numbers({ tenantId: bench.tenantId + 1 })).toEqual([]);
    await expect(numbers({ status: 'lost' })).rejects.toThrow('There is no status lost');
    expect(await commands.get(open)).toMatchObject({
      ...{ number: open, tenant_name: 'My organization', month: '2026-10', total_usd: '2.52', lines: 2 },
    });
  });

  it.each([
    ['pending', 'paid', { failure: null, settled: true, tried: false }, { reference: 'wire 4711' }],
    ['failed', 'paid', { failure: null, settled: true, tried: false }, { reference: 'wire 4711' }],
    [
      'pending',
      'failed',
      { failure: 'The bank sent it back.', settled: false, tried: false },
      { reason: 'The bank sent it back.' },
    ],
    ['pending', 'cancelled', { failure: null, settled: true, tried: false }, { reason: 'Made in error.' }],
    ['failed', 'cancelled', { failure: null, settled: true, tried: false }, { reason: 'Made in error.' }],
  ] as const)(
    'changes an invoice from %s to %s and records that in one transaction',
    async (from, to, state, recorded) => {
      const number = await invoice(from, 'card');

      expect(await act(to, number)).toMatchObject({ number, status: to });

      expect(await stateOf(number)).toEqual({ status: to, ...state });
      const verb = to === 'cancelled' ? 'cancel' : to;
      expect(await bench.actions()).toEqual([
        { operator: 'ada@engine', verb: `invoices ${verb}`, subject: `invoice ${number}` },
      ]);
      const data = { number, total_usd: '2.52', from_status: from, ...recorded };
      expect(await bench.audit()).toMatchObject([{ type: `invoice_${to}`, author_name: 'operator', data }]);
      const [{ detail, tenant_id } = {}] = await bench.rows('select detail, tenant_id::int from operator_actions');
      expect([detail, tenant_id]).toEqual([expect.objectContaining(data), bench.tenantId]);
    },
  );

  it.each([
    ['paid', 'paid', 'is paid. This status is final.'],
    ['paid', 'failed', 'is paid. This status is final.'],
    ['paid', 'cancelled', 'is paid. This status is final.'],
    ['cancelled', 'paid', 'is cancelled. This status is final.'],
    ['cancelled', 'failed', 'is cancelled. This status is final.'],
    ['cancelled', 'cancelled', 'is cancelled. This status is final.'],
    ['failed', 'failed', 'is failed. Its status can change to: paid, cancelled.'],
  ] as const)('refuses to change an invoice from %s to %s, and changes nothing', async (from, to, message) => {
    const number = await invoice(from);
    const before = await stateOf(number);

    const acting = act(to, number);

    await expect(acting).rejects.toThrow(OperatorRefused);
    await expect(acting).rejects.toThrow(`Invoice ${number} ${message}`);
    expect(await stateOf(number)).toEqual(before);
    expect([await bench.actions(), await bench.audit()]).toEqual([[], []]);
  });

  it('lets one of two concurrent operators win, and reports the new status to the other', async () => {
    const options = { databaseUrl: bench.url, secretKeys: bench.keys, operator: 'bob@engine' };
    const other = await OperatorSession.open(options);
    try {
      for (let round = 0; round < 5; round += 1) {
        const number = await invoice('pending');

        const ends = await Promise.allSettled([
          act('paid', number),
          act('cancelled', number, new InvoiceCommands(other)),
        ]);

        const refused = ends.flatMap((end) => (end.status === 'rejected' ? [(end.reason as Error).message] : []));
        const { status } = (await stateOf(number)) ?? {};
        expect(refused).toEqual([`Invoice ${number} is ${status}. This status is final.`]);
        expect((await bench.actions()).filter(({ subject }) => subject === `invoice ${number}`)).toHaveLength(1);
      }
    } finally {
      await other.close();
    }
  });

  it('requires a number, and a reason that is not blank', async () => {
    await invoice('draft');
    const number = await invoice('pending');

    for (const none of ['', 'null', '2026-13-000001'])
      await expect(commands.pay(none, null)).rejects.toThrow(`There is no invoice ${none}`);
    await expect(async () => commands.cancel(number, ' ')).rejects.toThrow('The reason must have 1 to 500 characters.');
    await expect(async () => commands.fail(number, 'x'.repeat(501))).rejects.toThrow('The reason must have');
    await expect(async () => commands.pay(number, '')).rejects.toThrow('The reference must have');
    expect(await bench.actions()).toEqual([]);
    expect(await commands.pay(number, null)).toMatchObject({ status: 'paid' });
  });

  it('lists the closed months with their invoice totals', async () => {
    await bench.rows(`delete from billing_months`);
    await bench.rows(
      `insert into billing_months (month, settled_at, invoices) values ('2026-08-01', now(), 0), ('2026-09-01', null, 1)`,
    );
    await invoice('cancelled', 'manual', '2026-09');
    await invoice('draft', 'manual', '2026-10');

    expect(await commands.months()).toEqual([
      { month: '2026-09', closed_at: expect.any(Date), settled_at: null, invoices: 1, total_usd: '2.52' },
      { month: '2026-08', closed_at: expect.any(Date), settled_at: expect.any(Date), invoices: 0, total_usd: '0.00' },
    ]);
  });
});
