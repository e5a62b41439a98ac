import { describeWithBrowser, eventually, given, openBrowser, TestCloud } from '@libs/testing';
import type { Browser, Page } from 'playwright-core';
import { MemberTabs } from './browser/member-tabs.js';
import { expectClean } from './browser/person-in-browser.js';

const DEPLOYMENTS = 10_000;
/** A page with more entries than this is slow, and nobody reads it. */
const MOST_ENTRIES = 500;
const ENTRIES = `document.querySelectorAll('main li, main tr, main option, main input').length`;

/** An organization with very many deployments. */
describeWithBrowser('The console with 10,000 deployments', () => {
  let cloud: TestCloud;
  let browser: Browser;
  let tabs: MemberTabs;
  let channel: number;
  beforeAll(async () => {
    [cloud, browser] = await Promise.all([TestCloud.borrow({ env: { LANDLORD_ROLE: 'api' } }), openBrowser()]);
    tabs = new MemberTabs(browser, cloud);
    const { tenant_id, division_id, environment_id } = cloud.installation;
    await cloud.rows(
      `with made as (
       insert into deployments (tenant_id, division_id, environment_id, name, code, variant, cloud, area, region, cell, tier,
         cluster, storage_type, storage_size, target_network_tput, network_scope, availability_mode, nodes_count, telemetry_days,
         monthly_compute, monthly_storage, pricing_version)
       select $1, $2, $3, 'broker-' || n, lpad(to_hex(n), 8, '0'), 'managed', 'aws', 'us', 'us-east-1', 'local', 'small',
              'cluster', 'network_balanced', 100, 5000, 'same_region', 'single_az', 3, 14, 10, 2, '2026-11'
         from generate_series(1, $4::int) n
       returning id)
       insert into deployment_runtimes (deployment_id, cell, status, peer_secret) select id, 'local', 'initialized', 'x' from made`,
      [tenant_id, division_id, environment_id, DEPLOYMENTS],
    );
    const made = { channel: 'slack' as const, name: 'ops', destination: 'https://hooks.example/' };
    channel = (await cloud.landlord.channels.create(made)).id;
    await given.invoiceAgreement(cloud, tenant_id);
  });
  afterEach(() => tabs.close());
  afterAll(async () => {
    await browser?.close();
    await cloud?.stop();
  });

  const part = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Parts of the organization' }).getByRole('link', { name, exact: true });

  /** Logs the time of a step, which decides nothing. */
  async function timed(what: string, step: () => Promise<unknown>): Promise<void> {
    const start = performance.now();
    await step();
    console.log(`${what}: ${Math.round(performance.now() - start)} ms`);
  }

  it('lists, filters and pages the deployments, and stays short on every page that reads all of them', async () => {
    const tab = await tabs.open('admin');
    const { page } = tab;
    const entries: Record<string, number> = {};
    const note = async (name: string) => (entries[name] = await page.evaluate<number>(ENTRIES));
    await page.goto(`${cloud.mainApi.url}/console/account`);
    await page.goto(`${cloud.mainApi.url}/console/t/${cloud.installation.tenant_id}/members`);
    await part(page, 'Members').waitFor();

    await timed('deployments', async () => {
      await part(page, 'Deployments').click();
      await page.getByRole('row').nth(1).waitFor();
    });
    await note('deployments');
    await timed('next page', async () => {
      await page.getByRole('link', { name: 'Next' }).click();
      await page.getByText(/^Page 2 of/).waitFor();
    });
    await page.getByLabel('Name', { exact: true }).fill('broker-9999');
    await timed('filter', () => page.getByRole('row').filter({ hasText: 'broker-9999' }).waitFor());
    await eventually('one row is left', async () => (await page.getByRole('row').count()) === 2);
    expect(new URL(page.url()).searchParams.get('name')).toBe('broker-9999');

    await timed('divisions', async () => {
      await part(page, 'Divisions').click();
      await page.getByRole('link', { name: '9980 more in the list of deployments' }).waitFor();
    });
    await note('divisions');
    await expectClean(tab);

    await part(page, 'Channels').click();
    await timed('channel', async () => {
      await page.getByRole('link', { name: 'ops' }).click();
      await page.getByText('New subscription').click();
      await page.getByRole('group', { name: 'Deployments' }).waitFor();
    });
    await note('subscription');
    await page.getByLabel('Filter: Deployments').fill('broker-777');
    await page.getByRole('checkbox', { name: /broker-7770$/ }).check();
    await page.getByLabel('Filter: Deployments').fill('broker-42');
    await page.getByRole('checkbox', { name: /broker-4200$/ }).check();
    await page.getByRole('checkbox', { name: 'environment created' }).check();
    await expectClean(tab);
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await page.getByRole('cell', { name: 'environment created' }).waitFor();
    const scope = await cloud.rows<{ id: number }>(
      `select id::int as id from deployments where name in ('broker-4200', 'broker-7770') order by id`,
    );
    const { items } = await cloud.landlord.subscriptions.list({ channel_id: channel });
    const subscription_id = items[0]?.id ?? 0;
    const { scope_deployments: chosen } = await cloud.landlord.subscriptions.get({
      channel_id: channel,
      subscription_id,
    });
    expect(chosen?.map(({ id }) => ({ id }))).toEqual(scope);

    await timed('order', async () => {
      await part(page, 'Deployments').click();
      await page.getByRole('link', { name: 'New deployment' }).click();
      await page.getByRole('button', { name: 'Create the deployment' }).waitFor();
    });
    await note('order');
    expect(Object.entries(entries).filter(([, count]) => count >= MOST_ENTRIES)).toEqual([]);
    expect(Object.keys(entries)).toHaveLength(4);
  });
});
