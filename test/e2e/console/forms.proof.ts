import { describeWithBrowser, eventually, openBrowser, TestCloud } from '@libs/testing';
import type { Browser, Page, Route } from 'playwright-core';
import { expectClean, signInMember } from './browser/person-in-browser.js';

/** What a form sends when the record changes elsewhere, when an answer is lost, and when the page shows another record. */
describeWithBrowser('A form of the console', () => {
  let cloud: TestCloud;
  let browser: Browser;
  beforeAll(async () => {
    [cloud, browser] = await Promise.all([TestCloud.borrow(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await cloud?.stop();
  });
  const signedIn = (path: string) =>
    signInMember(cloud, browser, { roles: ['admin', 'billing'], path: `/t/${cloud.installation.tenant_id}${path}` });

  it('does not overwrite what another person saved, and says so', async () => {
    const { tab, page } = await signedIn('/settings');
    await page.getByLabel('Description').fill('ours');
    await cloud.main().put(cloud.tenant, { description: 'theirs' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();

    await page.getByRole('alert').filter({ hasText: 'Somebody else changed this. Nothing was saved.' }).waitFor();
    await page.getByText('Somebody else changed this to "theirs".').waitFor();
    expect(await page.getByLabel('Description').inputValue()).toBe('ours');
    expect((await cloud.main().get(cloud.tenant)).body.description).toBe('theirs');
    await expectClean(tab, /status of 412/);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await eventually('the second press saves', async () => {
      const { body } = await cloud.main().get(cloud.tenant);
      return body.description === 'ours' || undefined;
    });
    await page.getByText('Done.').waitFor();
    expect(await page.getByText('Somebody else changed').count()).toBe(0);
    await tab.close();
  });

  it('creates one thing when the answer to the first press is lost', async () => {
    const { tab, page } = await signedIn('/divisions');
    const keys = await loseAnswers(page, '**/divisions', 3);
    await page.getByText('New division').click();
    await page.getByLabel('Name', { exact: true }).first().fill('Only once');
    const create = page.getByRole('button', { name: 'Create the division' });
    await create.click();
    await page.getByText('No answer.').waitFor();
    await create.click();
    await page.getByRole('link', { name: 'Only once' }).first().waitFor();

    expect(new Set(keys).size).toBe(1);
    expect(await page.getByText('already').count()).toBe(0);
    await tab.close();
  });

  it('shows and sends no draft of another record', async () => {
    const [one, other] = await Promise.all(['one', 'other'].map((name) => division(`Of ${name} ${Date.now()}`)));
    const { tab, page } = await signedIn(`/divisions/${one}`);
    await page.getByLabel('Description').first().fill('of the first only');
    await page.evaluate(`history.pushState(null, '', location.href.replace('/${one}', '/${other}'))`);
    await page.getByRole('heading', { level: 1, name: /Of other/ }).waitFor();

    expect(await page.getByLabel('Description').first().inputValue()).toBe('');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: /Of one/ }).waitFor();
    expect(await page.getByLabel('Description').first().inputValue()).toBe('of the first only');
    await expectClean(tab);
    await tab.close();
  });

  it('stores no secret of a channel in the browser', async () => {
    const { tab, page } = await signedIn('/channels');
    await page.getByText('New channel').click();
    const form = page.locator('details', { hasText: 'New channel' }).locator('form');
    await form.getByLabel('Kind').selectOption('webhook');
    await form.getByLabel('Name', { exact: true }).fill('A hook');
    await form.getByLabel('Destination').fill('https://hooks.example/open-sesame');
    await form.getByLabel('Headers, as JSON').fill('{"authorization": "open-sesame"}');

    const stored = await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })');
    expect(stored).toContain('A hook');
    expect(stored).not.toContain('sesame');
    await tab.close();
  });

  it('offers the sizes of the region that a draft has', async () => {
    const { tab, page } = await signedIn('/new');
    await page.getByRole('link', { name: /^Managed/ }).click();
    await page.getByLabel('Region').selectOption('us-west-2');
    const asked = page.waitForRequest(/\/regions\/us-west-2\/tiers$/);
    await page.reload();
    await asked;

    await eventually('the region is set', async () => (await page.getByLabel('Region').inputValue()) === 'us-west-2');
    await tab.close();
  });

  async function division(name: string): Promise<number> {
    const { body } = await cloud.main().post(`${cloud.tenant}/divisions`, { name });
    return body.division_id ?? body.id;
  }
});

/** The server does the work, and its first answers do not arrive. @returns the idempotency keys of all requests */
async function loseAnswers(page: Page, address: string, count: number): Promise<string[]> {
  const keys: string[] = [];
  await page.route(address, async (route: Route) => {
    const request = route.request();
    if (request.method() !== 'POST') return route.continue();
    keys.push(request.headers()['idempotency-key'] ?? '');
    if (keys.length > count) return route.continue();
    await route.fetch();
    await route.abort();
  });
  return keys;
}
