import { describeWithBrowser, eventually, given, openBrowser, TestCloud, TestDeployment } from '@libs/testing';
import type { Browser, Page } from 'playwright-core';
import { MemberTabs } from './browser/member-tabs.js';
import { expectClean, ODD_NAME } from './browser/person-in-browser.js';

/** Everything in two places of the screen at once, or outside of the screen, that no box scrolls. */
const MISPLACED = `(() => {
  const all = [...document.querySelectorAll('h1, h2, a:not([href="#main"]), button, input:not([type=hidden]), select, summary')];
  const inside = all.filter((one) => one.checkVisibility() && one.getBoundingClientRect().width > 1 && one.className !== '' || one.closest('main, header'));
  const scrolls = (one) => { for (let up = one.parentElement; up; up = up.parentElement) if (/auto|scroll/.test(getComputedStyle(up).overflowX)) return true; return false; };
  const boxes = inside.filter((one) => one.checkVisibility() && !scrolls(one)).map((one) => ({ one, box: one.getBoundingClientRect(), text: one.textContent.slice(0, 40) }));
  const out = boxes.filter(({ box }) => box.left < -1 || box.right > innerWidth + 1).map(({ text }) => 'outside: ' + text);
  const twice = boxes.flatMap((a, at) => boxes.slice(at + 1).filter((b) => !a.one.contains(b.one) && !b.one.contains(a.one)
    && Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left) > 2 && Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top) > 4)
    .map((b) => a.text + ' and ' + b.text));
  return [...out, ...twice];
})()`;

/** What people and the world do to the console that it did not ask for. */
describeWithBrowser('The console under odd conditions', () => {
  let cloud: TestCloud;
  let browser: Browser;
  let tabs: MemberTabs;
  let deployment: TestDeployment;
  beforeAll(async () => {
    [cloud, browser] = await Promise.all([TestCloud.borrow(), openBrowser()]);
    tabs = new MemberTabs(browser, cloud);
    deployment = await TestDeployment.free(cloud);
    await cloud.rows('update deployments set name = $2 where id = $1', [deployment.id, ODD_NAME]);
  });
  afterEach(() => tabs.close());
  afterAll(async () => {
    await browser?.close();
    await cloud?.stop();
  });

  const tenant = () => `${cloud.mainApi.url}/console/t/${cloud.installation.tenant_id}`;
  const ofDeployment = () => `${tenant()}/deployments/${deployment.id}`;

  it('goes on without a reload after the main API has restarted', async () => {
    const { page } = await tabs.open('admin');
    await page.goto(tenant());
    const name = page.getByRole('link', { name: ODD_NAME });
    await name.waitFor();
    await page.evaluate('document.body.dataset.stays = "yes"');
    await cloud.mainApi.kill();
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).first().waitFor({ timeout: 90_000 });
    expect(await name.isVisible()).toBe(true);
    await cloud.mainApi.start();
    await given.user(cloud, { email: `later-${Date.now()}@people.example` });
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).first().click();
    await page.getByRole('button', { name: 'Try again' }).waitFor({ state: 'detached', timeout: 60_000 });

    await page.getByRole('link', { name: 'Divisions', exact: true }).click();
    await page.getByRole('heading', { name: 'Divisions and environments' }).waitFor();
    expect(await page.locator('body').getAttribute('data-stays')).toBe('yes');
  });

  it('shows an operation that a program starts', async () => {
    const { page } = await tabs.open('viewer');
    await page.goto(`${ofDeployment()}/operations`);
    await page.getByRole('heading', { name: 'Operations' }).waitFor();
    const { operation } = await cloud.landlord.certificates.rotate({ deployment_id: deployment.id });
    const row = page.getByRole('row').filter({ hasText: 'rotate certificates' });
    await row.waitFor();

    await operation.wait();
    await row.getByText('succeeded', { exact: true }).waitFor();
  });

  it('keeps two organizations in two tabs apart, and shows nothing of the last one after a change', async () => {
    const other = await given.cloudOf(cloud, await given.tenant(cloud));
    const names = { own: `only here ${Date.now()}`, other: `only there ${Date.now()}` };
    await cloud.landlord.divisions.create({ name: names.own });
    await other.landlord.divisions.create({ name: names.other });
    const { page } = await tabs.open('admin');
    const [user] = await cloud.rows<{ id: number }>('select id::int as id from users order by id desc limit 1');
    const there = other.installation.tenant_id;
    await given.membership(cloud, user?.id ?? 0, { roles: ['admin'], tenantId: there });
    const second = await page.context().newPage();
    await page.goto(`${tenant()}/divisions`);
    await second.goto(`${cloud.mainApi.url}/console/t/${there}/divisions`);
    await page.getByText(names.own, { exact: true }).waitFor();
    await second.getByText(names.other, { exact: true }).waitFor();
    expect(await page.content()).not.toContain(names.other);
    expect(await second.content()).not.toContain(names.own);

    const made = `made ${Date.now()}`;
    await second.getByText('New division', { exact: true }).click();
    await second.locator('details[open]').getByLabel('Name').fill(made);
    await second.getByRole('button', { name: 'Create the division' }).click();
    await second.getByRole('heading', { name: made }).waitFor();
    expect(await cloud.rows('select tenant_id::int as id from divisions where name = $1', [made])).toEqual([
      { id: there },
    ]);

    await watchForMixture(second, there, names.other);
    await second.getByRole('navigation', { name: 'Organizations' }).getByRole('link').first().click();
    await second.getByRole('link', { name: ODD_NAME }).waitFor();
    expect(await second.locator('body').getAttribute('data-mixed')).toBeNull();
    expect(await second.content()).not.toContain(names.other);
    expect(await page.content()).not.toContain(made);
  });

  it('reads from right to left on a phone with nothing cut and nothing twice in one place', async () => {
    const tab = await tabs.open('admin', { width: 390 });
    const { page } = tab;
    await cloud.landlord.divisions.create({ name: ODD_NAME });
    const faults: string[] = [];
    for (const url of [
      ...['', '/divisions', '/members', '/keys', '/roles', '/channels', '/audit', '/plan', '/settings', '/new'].map(
        (path) => tenant() + path,
      ),
      ...['', '/nodes', '/access', '/security', '/settings', '/operations', '/network'].map(
        (path) => ofDeployment() + path,
      ),
    ]) {
      await page.goto(url);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await tab.loaded();
      await page.evaluate(`document.documentElement.dir = 'rtl'`);
      const found = await page.evaluate<string[]>(MISPLACED);
      faults.push(...found.map((one) => `${new URL(url).pathname}: ${one}`));
      if (!(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))) faults.push(`${url}: is wider`);
    }

    expect(faults).toEqual([]);
    await page.goto(ofDeployment());
    await eventually('the title has the name', async () => (await page.title()).includes(`\u2068${ODD_NAME}\u2069`));
    expect(await page.locator('main img').count()).toBe(0);
    await expectClean(tab);
  });
});

/** Marks the page when something of the last organization is on the screen of another. */
const watchForMixture = (page: Page, tenantId: number, text: string) =>
  page.evaluate(`new MutationObserver(() => {
    const current = document.querySelector('nav[aria-label="Parts of the organization"] a');
    const isLast = current?.getAttribute('href')?.endsWith('/t/${tenantId}') ?? true;
    if (!isLast && !document.body.dataset.mixed && document.querySelector('main').textContent.includes(${JSON.stringify(text)})) document.body.dataset.mixed = 'yes';
  }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })`);
