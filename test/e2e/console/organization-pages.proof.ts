import { describeWithBrowser, eventually, given, openBrowser, TestCloud } from '@libs/testing';
import type { Browser } from 'playwright-core';
import { expectClean, ODD_NAME, signInMember } from './browser/person-in-browser.js';

/** The pages of an organization, with a mouse and with names that are hostile. */
describeWithBrowser('The console of an organization', () => {
  let cloud: TestCloud;
  let browser: Browser;
  beforeAll(async () => {
    [cloud, browser] = await Promise.all([TestCloud.borrow(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await cloud?.stop();
  });

  const signedIn = (roles: string[], path: string, look = {}) => signInMember(cloud, browser, { roles, path, look });
  const tenant = (): string => `/t/${cloud.installation.tenant_id}`;

  it('goes on to the page that needed the sign-in, and shows names as text', async () => {
    const { tab, page, email } = await signedIn(['viewer'], `${tenant()}/members`);

    await page.getByRole('cell', { name: email }).waitFor();

    expect(page.url()).toBe(`${cloud.mainApi.url}/console${tenant()}/members`);
    expect(await page.getByRole('row').filter({ hasText: email }).getByRole('cell').first().textContent()).toBe(
      ODD_NAME,
    );
    expect(await page.locator('main img').count()).toBe(0);
    await expectClean(tab);
    await tab.close();
  });

  it('shows the secret of a new key once, and deletes a key after a question', async () => {
    const { tab, page } = await signedIn(['admin'], `${tenant()}/keys`);
    await page.getByText('New key').click();
    await page.getByLabel('Name', { exact: true }).fill('from the console');
    await page.getByLabel('Role', { exact: true }).selectOption({ label: 'viewer' });
    await expectClean(tab);
    await page.getByRole('button', { name: 'Create the key' }).click();

    const secret = await page.getByRole('region', { name: 'Secret' }).textContent();
    expect((await cloud.main(secret ?? '').get(cloud.tenant)).status).toBe(200);
    await page.reload();
    const row = page.getByRole('row').filter({ hasText: 'from the console' });
    await row.waitFor();
    expect(await page.content()).not.toContain(secret);
    await row.getByRole('button', { name: 'Delete' }).click();
    await expectClean(tab);
    await page.keyboard.press('Escape');
    expect((await cloud.main(secret ?? '').get(cloud.tenant)).status).toBe(200);
    await row.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
    expect(await cloud.main(secret ?? '').get(cloud.tenant)).toBeProblem('unauthenticated');
    await expectClean(tab);
    await tab.close();
  });

  it('invites a person, cancels an invitation, and removes a member', async () => {
    const email = `left-${Date.now()}@people.example`;
    const { id } = await given.user(cloud, { email, name: 'Leaving' });
    await given.membership(cloud, id, { roles: ['viewer'] });
    const invited = `new-${Date.now()}@people.example`;
    const { tab, page } = await signedIn(['admin'], `${tenant()}/members`);

    await page.getByText('Invite a person').click();
    const confined = page.getByLabel('Only in the division').getByRole('option');
    expect((await confined.allTextContents()).slice(0, 2)).toEqual(['No restriction', 'Default']);
    await page.getByRole('textbox', { name: 'E-mail address', description: /invitation/ }).fill(invited);
    await page.getByRole('checkbox', { name: 'viewer' }).check();
    await page.getByRole('button', { name: 'Invite' }).click();
    const invitation = page.getByRole('row').filter({ hasText: invited });
    await invitation.waitFor();
    await expectClean(tab);
    await invitation.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).last().click();
    await invitation.waitFor({ state: 'detached' });
    const member = page.getByRole('row').filter({ hasText: email });
    await member.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await member.waitFor({ state: 'detached' });

    expect(await cloud.rows('select 1 from members where user_id = $1', [id])).toEqual([]);
    await expectClean(tab);
    await tab.close();
  });

  it.each([
    ['roles', 'Roles', 'deployment:manage'],
    ['plan', 'Limits of the plan', 'api keys'],
    ['invoices', 'Invoices', 'There is no invoice yet.'],
    ['divisions', 'Divisions and environments', 'sandbox'],
  ])('shows %s, on a wide screen and on a phone', async (path, title, text) => {
    for (const look of [{}, { isDark: true, width: 390 }]) {
      const { tab, page } = await signedIn(['admin'], `${tenant()}/${path}`, look);
      await page.getByRole('heading', { name: title }).waitFor();
      await page.getByText(text).first().waitFor();
      await expectClean(tab);
      await tab.close();
    }
  });

  it('creates and deletes a division and an environment', async () => {
    const name = `Made here ${Date.now()}`;
    const { tab, page } = await signedIn(['admin'], `${tenant()}/divisions`);
    const open = page.locator('details[open]');
    const opened = page.getByText('New division', { exact: true });
    await opened.click();
    await open.getByLabel('Name').fill(name);
    await open.getByRole('button', { name: 'Create the division' }).click();
    await page.getByRole('heading', { name }).waitFor();
    await opened.click();
    const division = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
    await division.getByText(`New environment in ${name}`).click();
    await open.getByLabel('Name').fill('staging');
    await open.getByRole('button', { name: 'Create the environment' }).click();
    await division.getByText('staging', { exact: true }).waitFor();
    await expectClean(tab);
    await division.getByRole('button', { name: 'Delete' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('heading', { name, exact: true }).waitFor({ state: 'detached' });

    const { body } = await cloud.main().get(`${cloud.tenant}/structure`);
    expect(JSON.stringify(body)).not.toContain(name);
    await tab.close();
  });

  it('keeps the filter of the audit in the address', async () => {
    await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'seen in the audit' });
    const { tab, page } = await signedIn(['admin'], `${tenant()}/audit`, { isDark: true, width: 390 });
    await page.getByLabel('Type').selectOption('division_created');
    await page.getByRole('cell', { name: 'seen in the audit', exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('type')).toBe('division_created');

    await page.reload();
    await page.getByRole('cell', { name: 'seen in the audit', exact: true }).waitFor();
    await page.getByLabel('Type').selectOption('tenant_deleted');
    await page.getByRole('cell', { name: 'seen in the audit', exact: true }).waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByRole('cell', { name: 'seen in the audit', exact: true }).waitFor();
    await expectClean(tab);
    await tab.close();
  });

  it('orders a managed deployment with a price that follows the choices', async () => {
    await given.invoiceAgreement(cloud, cloud.installation.tenant_id);
    const { tab, page } = await signedIn(['admin'], `${tenant()}/new`);
    await page.getByRole('link', { name: /^Managed/ }).click();
    const price = page.getByText(/ a month$/);
    await price.filter({ hasText: /^\$[\d,]+\.\d\d/ }).waitFor();
    const small = await price.textContent();
    await page.getByLabel('Size of each node').selectOption('large');
    await eventually('the price is another', async () => (await price.textContent()) !== small);
    const shown = await price.textContent();
    await page.getByLabel('Name').fill('by hand');
    const command = await page.getByRole('region', { name: 'Command' }).textContent();
    expect(command).toContain(
      'deployments create-managed --cloud aws --region us-east-1 --managed-tier standard --tier large',
    );
    expect(command).toContain("--name 'by hand'");
    await expectClean(tab);
    await page.getByRole('button', { name: 'Create the deployment' }).click();
    await page.getByRole('heading', { name: 'by hand' }).waitFor();

    const { body } = await cloud.main().get(`${cloud.tenant}/deployments?results=100`);
    const ordered = body.items.find(({ name }: { name: string }) => name === 'by hand');
    expect(ordered).toMatchObject({ tier: 'large', variant: 'managed', nodes_count: 3 });
    expect(shown).not.toBe(small);
    await tab.close();
  });
});
