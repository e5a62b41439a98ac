import { hashPassword } from '@libs/domain';
import { describeWithBrowser, given, openBrowser, TestCloud } from '@libs/testing';
import type { Browser } from 'playwright-core';
import { runPasted } from './browser/run-pasted.js';
import { WatchedTab } from './browser/watched-tab.js';

const PASSWORD = 'a long enough phrase';

/** A person who clicks only what is visible, and reads no documentation. */
describeWithBrowser('The first steps in the console', () => {
  let cloud: TestCloud;
  let browser: Browser;
  beforeAll(async () => {
    [cloud, browser] = await Promise.all([TestCloud.borrow(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await cloud?.stop();
  });

  /** An organization without a deployment, whose owner has a password. */
  async function owner(): Promise<{ email: string }> {
    const { tenantId } = await given.tenant(cloud);
    await given.invoiceAgreement(cloud, tenantId);
    const [row] = await cloud.rows<{ email: string }>(
      `update users set password_hash = $2 where id = (select owner_id from tenants where id = $1) returning email`,
      [tenantId, await hashPassword(PASSWORD)],
    );
    return { email: row?.email ?? '' };
  }

  it.each([
    ['light and wide', {}],
    ['dark, on a phone', { isDark: true, width: 390 }],
  ])('lead from the sign-in to a received message: %s', async (_, look) => {
    const { email } = await owner();
    const tab = await WatchedTab.open(browser, [cloud.mainApi.url, cloud.supervisor.url], look);
    const { page } = tab;
    const looked: string[] = [];
    const see = async (what: string) =>
      looked.push(...(await tab.accessibilityFaults()).map((fault) => `${what}: ${fault}`));

    await page.goto(`${cloud.mainApi.url}/`);
    await page.getByRole('heading', { name: 'Sign in to Landlord' }).waitFor();
    await see('sign-in');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').filter({ hasText: 'E-mail or password is wrong' }).waitFor();
    await see('a wrong password');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'No deployment yet' }).waitFor();
    await see('no deployment');

    await page.getByRole('button', { name: 'Create a Free deployment' }).click();
    await page.getByRole('heading', { name: /provision deployment/ }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Show the login and programs' }).click();
    await page.getByText('ready', { exact: true }).first().waitFor();
    await see('a deployment');

    const program = page.getByRole('region', { name: 'Program in JavaScript', exact: true });
    await program.locator('..').getByRole('button', { name: 'Copy' }).click();
    const pasted = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(await runPasted(pasted)).toBe('hello Hello from JavaScript\n');
    expect(looked).toEqual([]);
    expect(tab.faults).toEqual([]);
    await tab.close();
  });
});
