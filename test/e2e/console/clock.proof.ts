import { describeWithBrowser, openBrowser, TestCloud, TestDeployment } from '@libs/testing';
import type { Browser } from 'playwright-core';
import { MemberTabs } from './browser/member-tabs.js';
import { expectClean } from './browser/person-in-browser.js';

const DAY_MS = 86_400_000;
/** Clocks and zones of computers that are not those of the installation. */
describeWithBrowser('The console with another clock', () => {
  let cloud: TestCloud;
  let browser: Browser;
  let tabs: MemberTabs;
  let deployment: TestDeployment;
  beforeAll(async () => {
    [cloud, browser] = await Promise.all([TestCloud.borrow(), openBrowser()]);
    tabs = new MemberTabs(browser, cloud);
    deployment = await TestDeployment.free(cloud);
  });
  afterEach(() => tabs.close());
  afterAll(async () => {
    await browser?.close();
    await cloud?.stop();
  });

  const tenant = () => `${cloud.mainApi.url}/console/t/${cloud.installation.tenant_id}`;
  const ofDeployment = () => `${tenant()}/deployments/${deployment.id}`;

  it('shows times in the zone of the browser, and names the zone', async () => {
    const { page } = await tabs.open('viewer', { timezone: 'Pacific/Chatham' });
    await page.goto(`${ofDeployment()}/operations`);
    const time = page.locator('main time').first();
    const at = (await time.getAttribute('datetime')) ?? '';
    const shown = new Intl.DateTimeFormat('en-GB', {
      dateStyle: 'medium',
      timeStyle: 'medium',
      timeZone: 'Pacific/Chatham',
    });

    expect(await time.textContent()).toBe(shown.format(new Date(at)));
    expect(await time.getAttribute('title')).toBe(`Pacific/Chatham. In UTC: ${at}`);
  });

  it.each([
    ['a day late', -DAY_MS],
    ['a day early', DAY_MS],
  ])('needs no right clock: %s', async (_, wrongMs) => {
    const tab = await tabs.open('admin');
    const { page } = tab;
    await page.addInitScript(`{ const now = Date.now; Date.now = () => now() + ${wrongMs}; }`);
    let asked = 0;
    page.on(
      'request',
      (sent) => (asked += sent.method() === 'POST' && sent.url().endsWith('/supervisor_tokens') ? 1 : 0),
    );
    await page.goto(`${ofDeployment()}/access`);
    await page.getByRole('heading', { name: 'Access rules' }).waitFor();
    await page.getByRole('link', { name: 'Metrics', exact: true }).click();
    const [series] = await Promise.all([
      page.waitForRequest((sent) => sent.url().includes('from=')),
      page.getByRole('heading', { name: 'Metrics' }).waitFor(),
    ]);

    const from = Date.parse(new URL(series.url()).searchParams.get('from') ?? '');
    expect(Math.abs(Date.now() - from)).toBeLessThan(DAY_MS / 2);
    expect(asked).toBe(1);
    await expectClean(tab);
  });
});
