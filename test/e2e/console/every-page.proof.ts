import { describeWithBrowser, eventually, given, openBrowser, TestCloud, TestDeployment } from '@libs/testing';
import type { Browser, Page } from 'playwright-core';
import { NO_SCHEDULE, LOOKS } from './browser/deployment-story.js';
import {
  addressesOfSources,
  addressOf,
  countOfSources,
  ENTRIES,
  givenOffers,
  givenRows,
  givenThings,
  PAGES,
} from './browser/every-address.js';
import { MemberTabs } from './browser/member-tabs.js';
import { Overlays } from './browser/overlays.js';
import { WatchedTab } from './browser/watched-tab.js';

const COMMAND_LINE = '?name=laptop&code_challenge=x&redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2F&state=s';
/** The pages that need only an organization. */
const OF_TENANT = Object.keys(PAGES).filter((one) => /^\/t\/\$tenantId(\/[a-z-]+)?$/.test(one));

/** Requests that only read, although their method is not GET. */
const READING = /\/(supervisor_tokens|preview)$/;

/** The requests of the page that can change something, as they come. */
function requestsThatChange(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== 'GET' && !READING.test(pathname)) sent.push(`${request.method()} ${pathname}`);
  });
  return sent;
}

/** Everything that each page must have, and must not have. */
describeWithBrowser('Every page of the console', () => {
  let cloud: TestCloud;
  let browser: Browser;
  let tabs: MemberTabs;
  let ids: Record<string, number>;
  let deployment: TestDeployment;
  let empty: number;

  beforeAll(async () => {
    [cloud, browser] = await Promise.all([TestCloud.borrow(), openBrowser()]);
    tabs = new MemberTabs(browser, cloud);
    deployment = await TestDeployment.free(cloud);
    const things = await givenThings(deployment);
    await givenRows(deployment, things);
    ids = things;
    empty = (await given.tenant(cloud)).tenantId;
  });
  afterEach(() => tabs.close());
  afterAll(async () => {
    await browser?.close();
    await cloud?.stop();
  });

  /** Opens a page as the console itself does: without a new document. */
  const goTo = (page: Page, path: string) => page.evaluate(`history.pushState(null, '', '/console${path}')`);

  /** What is wrong on the page that appears with this title. */
  async function faultsOf(tab: WatchedTab, title: string): Promise<string[]> {
    const { page } = tab;
    const pattern = new RegExp(`^${title} · .*Landlord$`);
    await eventually(`the page ${title} appears`, async () => pattern.test(await page.title()));
    await tab.loaded();
    const isNarrow = await page.evaluate('document.documentElement.scrollWidth <= innerWidth');
    const headings = await page.getByRole('heading', { level: 1 }).allTextContents();
    const found = [
      ...(await tab.accessibilityFaults()),
      ...tab.faults.splice(0).filter((fault) => title !== 'Backups' || !NO_SCHEDULE.test(fault)),
      ...(isNarrow ? [] : ['wider than the screen']),
      ...(headings.length === 1 ? [] : [`titles: ${headings.join(', ')}`]),
    ];
    return found.map((fault) => `${title}: ${fault}`);
  }

  it('is in the table of addresses', () => {
    const all = addressesOfSources();

    expect([...new Set(all)].filter((one) => one !== '/').toSorted()).toEqual(
      [...Object.keys(ENTRIES), ...Object.keys(PAGES)].toSorted(),
    );
    expect(all).toHaveLength(countOfSources());
  });

  it.each(LOOKS)('without a session has a title and no fault: %s', async (_, look) => {
    const tab = await WatchedTab.open(browser, [cloud.mainApi.url], look);
    const faults: string[] = [];
    for (const [path, title] of Object.entries(ENTRIES)) {
      await tab.page.goto(`${cloud.mainApi.url}/console${path}`);
      faults.push(...(await faultsOf(tab, title)));
    }
    await tab.page.goto(`${cloud.mainApi.url}/console/no/such/page`);
    faults.push(...(await faultsOf(tab, 'There is no such page')));

    expect(faults).toEqual([]);
    await tab.close();
  });

  it.each(LOOKS)('of a person has a title, the focus and no fault: %s', async (_, look) => {
    const tab = await tabs.open('admin', look);
    const { page } = tab;
    const offers = await givenOffers(cloud);
    await page.goto(`${cloud.mainApi.url}/console/account`);
    const faults: string[] = [];
    for (const [pattern, title] of Object.entries(PAGES)) {
      await goTo(page, addressOf(pattern, { ...ids, ...offers }) + (pattern === '/command-line' ? COMMAND_LINE : ''));
      faults.push(...(await faultsOf(tab, title)));
      if (pattern !== '/account' && (await page.evaluate('document.activeElement.tagName')) !== 'H1')
        faults.push(`${title}: the focus is elsewhere`);
    }

    expect(faults).toEqual([]);
  });

  it.each(LOOKS)('of a person has dialogs and sections without a fault: %s', async (_, look) => {
    const tab = await tabs.open('admin', look);
    const sent = requestsThatChange(tab.page);
    const offers = await givenOffers(cloud);
    await tab.page.goto(`${cloud.mainApi.url}/console/account`);
    const faults: string[] = [];
    const opened: string[] = [];
    for (const [pattern, title] of Object.entries(PAGES)) {
      await goTo(
        tab.page,
        addressOf(pattern, { ...ids, ...offers }) + (pattern === '/command-line' ? COMMAND_LINE : ''),
      );
      faults.push(...(await faultsOf(tab, title)));
      const overlays = new Overlays(tab, title, (fault) => title === 'Backups' && NO_SCHEDULE.test(fault));
      await overlays.openAll();
      faults.push(...overlays.faults);
      opened.push(...overlays.opened);
    }

    expect(faults).toEqual([]);
    expect(sent).toEqual([]);
    expect(opened.length).toBeGreaterThan(60);
  });

  it.each(LOOKS)('of an organization without anything has no fault: %s', async (_, look) => {
    const tab = await tabs.open(
      'admin',
      look,
      Object.create(cloud, { installation: { value: { ...cloud.installation, tenant_id: empty } } }),
    );
    await tab.page.goto(`${cloud.mainApi.url}/console/account`);
    const faults: string[] = [];
    for (const pattern of OF_TENANT) {
      await goTo(tab.page, addressOf(pattern, { tenantId: empty }));
      faults.push(...(await faultsOf(tab, PAGES[pattern] ?? '')));
    }

    expect(faults).toEqual([]);
    expect(OF_TENANT.length).toBeGreaterThan(12);
  });

  it.each(['divisions', 'roles', 'keys', 'channels', 'invoices'])(
    'of a thing of %s that is not there says so',
    async (part) => {
      const tab = await tabs.open('admin');
      await tab.page.goto(`${cloud.mainApi.url}/console/t/${cloud.installation.tenant_id}/${part}/999999999`);
      await tab.page
        .getByRole('alert')
        .filter({ hasText: /Request/ })
        .first()
        .waitFor();

      expect(await tab.page.getByRole('heading', { level: 1 }).textContent()).toMatch(/^[A-Z]/);
      expect(await tab.accessibilityFaults()).toEqual([]);
    },
  );

  it('has the names of the deployment and the organization in its title', async () => {
    const { page } = await tabs.open('viewer');
    const { tenant_id } = cloud.installation;
    await page.goto(`${cloud.mainApi.url}/console/t/${tenant_id}/deployments/${deployment.id}/logs`);
    const { name } = await deployment.detail();
    const [tenant] = await cloud.rows('select name from tenants where id = $1', [tenant_id]);

    const title = `Logs · \u2068${String(name)}\u2069 · \u2068${tenant?.['name']}\u2069 · Landlord`;
    await eventually(`the title is ${title}`, async () => (await page.title()) === title);
  });

  it('comes back with its filter, and a filter leaves the focus where it is', async () => {
    const { page } = await tabs.open('admin');
    await page.goto(`${cloud.mainApi.url}/console/t/${cloud.installation.tenant_id}/audit`);
    const type = page.getByLabel('Type');
    await type.focus();
    await type.selectOption('division_created');
    await page.waitForURL('**/audit?type=division_created');
    expect(await type.and(page.locator(':focus')).count()).toBe(1);
    await page.getByRole('link', { name: 'API keys', exact: true }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await page.goBack();

    await page.waitForURL('**/audit?type=division_created');
    await page.getByRole('heading', { name: 'Audit' }).waitFor();
    expect(await type.inputValue()).toBe('division_created');
  });
});
