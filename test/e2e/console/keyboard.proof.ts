import { hashPassword } from '@libs/domain';
import { describeWithBrowser, given, openBrowser, TestCloud } from '@libs/testing';
import type { Browser } from 'playwright-core';
import { Keyboard } from './browser/keyboard.js';
import { expectClean, openTab, PASSWORD, signIn } from './browser/person-in-browser.js';

/** A person who has no mouse. */
describeWithBrowser('The console by keyboard', () => {
  let cloud: TestCloud;
  let browser: Browser;
  let own: TestCloud;
  beforeAll(async () => {
    [cloud, browser] = await Promise.all([TestCloud.borrow(), openBrowser()]);
    own = await given.cloudOf(cloud, await given.tenant(cloud));
  });
  afterAll(async () => {
    await browser?.close();
    await cloud?.stop();
  });

  async function ownerEmail(): Promise<string> {
    const [row] = await cloud.rows<{ email: string }>(
      `update users set password_hash = $2 where id = (select owner_id from tenants where id = $1) returning email`,
      [own.installation.tenant_id, await hashPassword(PASSWORD)],
    );
    return row?.email ?? '';
  }

  it('leads from the sign-in to a deployment and an access rule', async () => {
    const tab = await openTab(browser, cloud, '/console/');
    const { page } = tab;
    const keyboard = new Keyboard(page);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await keyboard.type(page.getByLabel('E-mail address'), await ownerEmail());
    await keyboard.type(page.getByLabel('Password'), PASSWORD);
    await page.keyboard.press('Enter');

    await keyboard.use(page.getByRole('link', { name: 'New deployment' }));
    await page.getByRole('heading', { name: 'New deployment' }).and(page.locator(':focus')).waitFor();
    await keyboard.type(page.getByLabel('Name', { exact: true }), 'typed');
    const region = page.getByLabel('Region', { exact: true });
    await keyboard.goTo(region);
    const before = await region.inputValue();
    await page.keyboard.press('ArrowDown');
    expect(await region.inputValue()).not.toBe(before);
    await page.keyboard.press('ArrowUp');
    await keyboard.use(button('Create the deployment'), 'Space');
    await page.getByRole('heading', { name: 'typed' }).and(page.locator(':focus')).waitFor();
    await page
      .getByRole('region', { name: 'Nodes' })
      .or(page.getByRole('heading', { name: 'Nodes' }))
      .first()
      .waitFor();

    await keyboard.use(page.getByRole('link', { name: 'Access', exact: true }));
    await page.getByRole('heading', { name: 'Add a rule' }).waitFor();
    await keyboard.type(page.getByLabel('Name', { exact: true }), 'by keyboard');
    await keyboard.type(page.getByLabel('Addresses', { exact: true }), '203.0.113.0/24');
    await keyboard.use(page.getByLabel('Opens HTTP and the page for browsers'), 'Space');
    await keyboard.use(button('Add the rule'));
    const row = page.getByRole('row').filter({ hasText: 'by keyboard' });
    await row.waitFor();
    const rules = async () => {
      const [{ id } = { id: 0 }] = (await own.landlord.deployments.listAll({})).items;
      return own.landlord.accessRules.list({ deployment_id: id });
    };
    const made = (await rules()).find(({ name }) => name === 'by keyboard');
    expect(made).toMatchObject({ cidr_blocks: ['203.0.113.0/24'], rules: { broker_tcp: true, broker_http: false } });

    const erase = row.getByRole('button', { name: 'Delete' });
    await keyboard.goTo(erase, 'Shift+Tab');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    for (let step = 0; step < 6; step += 1) {
      await keyboard.press('Tab');
      expect(
        await page.evaluate(
          `document.activeElement === document.body || document.activeElement.closest('dialog') !== null`,
        ),
      ).toBe(true);
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await erase.and(page.locator(':focus')).count()).toBe(1);
    // The browser says that a dialog is closed only after the next key.
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await Promise.all([page.keyboard.press('Escape'), page.keyboard.press('Enter')]);
    await dialog.waitFor();
    await keyboard.use(dialog.getByRole('button', { name: 'Delete' }));
    await row.waitFor({ state: 'detached' });

    expect((await rules()).map(({ name }) => name)).not.toContain('by keyboard');
    expect(keyboard.unseen).toEqual([]);
    await expectClean(tab);
    await tab.close();
  });

  it('returns the focus to the button whose question was answered with yes', async () => {
    const tab = await openTab(browser, cloud, '/console/account');
    const { page } = tab;
    const keyboard = new Keyboard(page);
    await signIn(page, await ownerEmail());
    const end = page.getByRole('button', { name: 'End all other sessions' });

    await keyboard.use(end);
    const dialog = page.getByRole('dialog');
    await keyboard.use(dialog.getByRole('button', { name: 'End all other sessions' }));
    await dialog.waitFor({ state: 'detached' });

    expect(await end.first().and(page.locator(':focus')).count()).toBe(1);
    expect(keyboard.unseen).toEqual([]);
    await tab.close();
  });
});
