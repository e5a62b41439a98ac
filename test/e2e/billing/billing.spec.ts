import { eventually, given, TestCloud, TestDeployment } from '@libs/testing';
import { charged } from './charged.js';

const PATIENCE_MS = 40_000;

/** Billing as the paying customer sees it. */
describe('Billing', () => {
  let cloud: TestCloud;
  let billing: string;
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    billing = `${cloud.tenant}/billing`;
    await cloud.main().put(`${billing}/payments/method`, { provider: 'manual' });
  });
  afterAll(() => cloud.stop());

  const usage = async (query = '') => (await cloud.main().get(`${billing}/usage${query}`)).body;
  const inDivision = (divisionId: number) => given.key(cloud, { divisionId });

  it('publishes its prices without a key, equal to those of the preview', async () => {
    const answer = await fetch(`${cloud.mainApi.url}/pricing`);
    const prices = (await answer.json()) as any;
    const shape = {
      ...{ cloud: 'aws', region: 'us-east-1', tier: 'small', managed_tier: 'standard' },
      ...{ storage: { type: 'network_balanced', size: 100 }, target_network_tput: 100 },
      ...{ network_scope: 'same_region', availability_mode: 'single_az' },
    };
    const preview = await cloud.main().post(`${cloud.environment}/deployments/preview`, shape);

    expect(answer.status).toBe(200);
    expect(prices).toMatchObject({ currency: 'USD', hours_per_month: 730 });
    expect(prices.pricing_version).toBe(preview.body.pricing_version);
    const of = (list: any[], key: string) => list.find((one) => one.key === key);
    const compute =
      Number(of(prices.tiers, 'small').monthly_usd) *
      Number(of(prices.managed_tiers, 'standard').compute_factor) *
      Number(prices.regions.find((one: any) => one.cloud === 'aws' && one.region === 'us-east-1').price_factor);
    expect(preview.body.breakdown.compute_usd).toBeCloseTo(compute * preview.body.nodes, 2);
  });

  it('stores the address of invoices, keeps omitted members and clears members that are null', async () => {
    const path = `${billing}/info`;
    const entries = () => cloud.rows(`select data from audit_entries where type = 'billing_info_changed' order by id`);
    const address = { line_1: 'Main street 1', city: 'Berlin', country: 'DE' };
    const first = await cloud
      .main()
      .put(path, { company: 'Ada GmbH', email: 'bills@ada.example', tax_id: null, address });
    const second = await cloud.main().put(path, { tax_id: 'DE123', email: null });

    expect(first.status).toBe(200);
    expect(second.body).toMatchObject({ company: 'Ada GmbH', email: null, tax_id: 'DE123', purchase_order: null });
    expect(second.body.address).toEqual({ ...address, line_2: null, region: null, postal_code: null });
    expect((await cloud.main().get(path)).body).toEqual(second.body);
    expect((await cloud.main().put(path, second.body)).body).toEqual(second.body);
    expect((await entries()).slice(-2)).toMatchObject([
      { data: { company: 'Ada GmbH' } },
      { data: { previous: { tax_id: null } } },
    ]);
    const bad = await cloud
      .main()
      .put(path, { address: { country: 'Germany' }, email: 'nobody', company: 'x'.repeat(201) });
    expect(bad).toBeProblem('validation_failed');
    expect(bad.body.field_issues.map(({ path: at }: { path: string }) => at).sort()).toEqual([
      '/address/country',
      '/company',
      '/email',
    ]);
  });

  it('meters each shape of a deployment at its price, and nothing after its deletion', async () => {
    const deployment = await TestDeployment.paid(cloud);
    const lineIn = ({ items }: any) => items.find((one: any) => one.deployment.id === deployment.id);
    const line = lineIn(await usage());
    const terms = await cloud.main().post(`${deployment.path}/upgrade`, { managed_tier: 'performance' });
    await deployment.succeeds(terms);
    const { monthly_base } = (await cloud.main().get(deployment.path)).body;
    const stop = await cloud.runtime().post(`${deployment.live}/activities/broker/stop`);
    await deployment.succeeds(stop);
    const upgraded = await usage();
    await deployment.succeeds(await cloud.main().delete(deployment.path));
    const { periods } = lineIn(await usage());
    const later = await usage();

    expect(line).toMatchObject({ division: { id: cloud.installation.division_id } });
    expect(line.periods).toMatchObject([{ tier: 'small', managed_tier: 'standard', nodes: 3, storage_size: 100 }]);
    expect(lineIn(upgraded).periods).toMatchObject([
      { managed_tier: 'standard' },
      { managed_tier: 'performance', monthly_base_usd: Number(monthly_base).toFixed(2) },
    ]);
    expect(lineIn(upgraded).periods[1].from).toBe(lineIn(upgraded).periods[0].to);
    // The interval ended with the deletion, so its charges no longer grow.
    expect(lineIn(later).periods).toEqual(periods);
    expect(later).toMatchObject({ page: 1, total_results: later.items.length });
    const sum = (key: string) => later.items.reduce((total: number, one: any) => total + Number(one[key]), 0);
    expect(Number(later.compute_hours)).toBeCloseTo(sum('compute_hours'), 2);
    expect(Number(later.total_usd)).toBeCloseTo(sum('total_usd'), 2);
  });

  it.each(['?from=2026-02-02&to=2026-02-01', '?from=2024-01-01&to=2026-01-01', '?from=yesterday', '?results=101'])(
    'refuses the window %s',
    async (query) => {
      expect(await cloud.main().get(`${billing}/usage${query}`)).toBeProblem('validation_failed');
    },
  );

  it('reports no usage for a period without deployments', async () => {
    expect(await usage('?from=2020-01-01&to=2020-02-01')).toMatchObject({
      ...{ items: [], total_results: 0, compute_hours: '0', total_usd: '0.00' },
      ...{ from: '2020-01-01T00:00:00.000Z', to: '2020-02-01T00:00:00.000Z' },
    });
  });

  it('writes reports and invoices of past months in its workers, and shows each division its part', async () => {
    await cloud.main().put(`${billing}/info`, { company: 'Ada GmbH', tax_id: 'DE123' });
    const other = await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'Elsewhere' });
    const environment = await cloud
      .main()
      .post(`${cloud.tenant}/divisions/${other.body.id}/environments`, { name: 'x' });
    await charged(cloud, {
      division: cloud.installation.division_id,
      environment: cloud.installation.environment_id,
      name: 'mine',
      monthly: 73_000,
    });
    await charged(cloud, { division: other.body.id, environment: environment.body.id, name: 'theirs', monthly: 730 });
    await cloud.rows(`update schedules set due_at = '-infinity' where name = 'billing_months'`);

    const listed = await eventually(
      'two months are invoiced',
      async () => {
        const { body } = await cloud.main().get(`${billing}/invoices?status=pending`);
        return body.total_results === 2 ? body : null;
      },
      PATIENCE_MS,
    );
    const [newest] = listed.items;
    const invoice = (await cloud.main().get(`${billing}/invoices/${newest.id}`)).body;
    const ofMonth = ({ items }: any) => items.find(({ month }: any) => month === newest.month);
    const reports = (await cloud.main().get(`${billing}/reports`)).body;
    const report = (await cloud.main().get(`${billing}/reports/${ofMonth(reports).id}`)).body;

    expect(newest).toMatchObject({ status: 'pending', provider: 'manual', line_count: 2 });
    expect(newest.number).toBe(`${newest.month}-000001`);
    expect(invoice.lines.map(({ deployment }: any) => deployment.name)).toEqual(['mine', 'theirs']);
    expect(invoice.bill_to).toMatchObject({ company: 'Ada GmbH', tax_id: 'DE123' });
    const cents = (lines: any[]) => lines.reduce((sum, line) => sum + Math.round(Number(line.total_usd) * 100), 0);
    expect(cents(invoice.lines)).toBe(Math.round(Number(invoice.total_usd) * 100));
    expect(report).toMatchObject({
      month: newest.month,
      final: true,
      total_usd: invoice.total_usd,
      lines: invoice.lines,
    });
    const lines = await cloud.main().get(`${billing}/invoices/${newest.id}/lines?results=1&page=2`);
    expect(lines.body).toMatchObject({ total_results: 2, items: [invoice.lines[1]] });

    expect(await printed(newest.id)).toMatchObject({ type: 'application/pdf', name: `invoice-${newest.number}.pdf` });
    const scoped = cloud.main(await inDivision(other.body.id));
    const part = (await scoped.get(`${billing}/invoices/${newest.id}`)).body;
    expect(part).toMatchObject({ line_count: 1, total_usd: invoice.lines[1].total_usd, lines: [invoice.lines[1]] });
    expect(ofMonth((await scoped.get(`${billing}/reports`)).body).total_usd).toBe(part.total_usd);
    expect((await scoped.get(`${billing}/usage`)).body.items.map(({ deployment }: any) => deployment.name)).toEqual([
      'theirs',
    ]);
    const empty = await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'Empty' });
    const outside = cloud.main(await inDivision(empty.body.id));
    expect((await outside.get(`${billing}/invoices`)).body.total_results).toBe(0);
    expect(await outside.get(`${billing}/invoices/${newest.id}`)).toBeProblem('invoice_not_found');
    expect(await outside.get(`${billing}/reports/${report.id}`)).toBeProblem('billing_report_not_found');
  });

  async function printed(id: number): Promise<{ type: string | null; name: string | undefined }> {
    const { api_key } = cloud.installation;
    const answer = await fetch(`${cloud.mainApi.url}${billing}/invoices/${id}/pdf`, {
      headers: { 'ld-api-key': api_key ?? '' },
    });
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1];
    return { type: answer.headers.get('content-type'), name };
  }
});
