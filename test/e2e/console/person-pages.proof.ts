import {
  describeWithBrowser,
  eventually,
  given,
  MailFolder,
  openBrowser,
  TestCloud,
  type FiledMail,
} from '@libs/testing';
import type { Browser } from 'playwright-core';
import { expectClean, ODD_NAME, openTab, PASSWORD, signIn, userWithPassword } from './browser/person-in-browser.js';

const NEW_PASSWORD = 'another long passphrase';
const PHONE = { isDark: true, width: 390 };

describeWithBrowser('The pages of a person', () => {
  let cloud: TestCloud;
  let browser: Browser;
  let mails: MailFolder;

  beforeAll(async () => {
    [cloud, browser] = await Promise.all([TestCloud.borrow(), openBrowser()]);
    mails = new MailFolder(cloud.directory);
  });
  afterAll(async () => {
    await browser?.close();
    await cloud?.stop();
  });

  const unique = (name: string): string => `${name}-${Date.now()}@people.example`;
  const tenant = (): string => `/console/t/${cloud.installation.tenant_id}`;
  const linkOf = ({ text }: FiledMail): string =>
    new URL(/https?:\/\/\S+\/console\/\S+/.exec(text)?.[0] ?? 'none:').pathname;

  /** A member of the first tenant, signed in on the page. */
  async function member(roles: string[], path: string, look = {}) {
    const { id, email } = await userWithPassword(cloud, { email: unique('member'), name: ODD_NAME });
    await given.membership(cloud, id, { roles });
    const tab = await openTab(browser, cloud, path, look);
    await signIn(tab.page, email);
    return { tab, page: tab.page, id, email };
  }

  it('let a person without an organization create one', async () => {
    const { id, email } = await userWithPassword(cloud, { email: unique('alone') });
    const tab = await openTab(browser, cloud, '/console/', PHONE);
    const { page } = tab;
    await signIn(page, email);
    await page.getByRole('heading', { name: 'You are a member of no organization' }).waitFor();
    await page.getByText('No invitation waits for you.').waitFor();
    await expectClean(tab);

    await page.getByLabel('Name of the organization').fill(ODD_NAME);
    await page.getByRole('button', { name: 'Create the organization' }).click();

    await page.getByRole('heading', { name: ODD_NAME }).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(await cloud.rows('select name from tenants where owner_id = $1', [id])).toEqual([{ name: ODD_NAME }]);
    await expectClean(tab);
    await tab.close();
  });

  it('lead from the mail of an invitation to the organization, for the invited address only', async () => {
    const { email } = await userWithPassword(cloud, { email: unique('grace') });
    const mail = await mails.after(email, () => cloud.main().post(`${cloud.tenant}/invitations`, { email }));
    const { tab, page } = await member(['viewer'], linkOf(mail));
    await page
      .getByRole('alert')
      .filter({ hasText: /invitation/i })
      .waitFor();
    expect(await page.getByRole('button', { name: 'Accept' }).count()).toBe(0);
    expect(await tab.accessibilityFaults()).toEqual([]);
    tab.faults.length = 0;

    await page.getByRole('button', { name: 'Sign in as another user' }).click();
    await signIn(page, email);
    await page.getByRole('link', { name: '1 invitation' }).waitFor();
    await expectClean(tab);
    await page.getByRole('button', { name: 'Accept' }).press('Enter');

    await page.waitForURL(`${cloud.mainApi.url}${tenant()}`);
    await page.getByRole('link', { name: '1 invitation' }).waitFor({ state: 'detached' });
    const { body } = await cloud.main().get(`${cloud.tenant}/members?results=100`);
    expect(body.items.map((one: { email: string }) => one.email)).toContain(email);
    await expectClean(tab);
    await tab.close();
  });

  it.each([
    ['in the same browser', false],
    ['in another browser', true],
  ])('lead a new person from an invitation over sign-up and verification back to it: %s', async (_, isElsewhere) => {
    const email = unique('new');
    const invited = await mails.after(email, () => cloud.main().post(`${cloud.tenant}/invitations`, { email }));
    const first = await openTab(browser, cloud, linkOf(invited));
    await first.page.getByText('You are invited to an organization.').waitFor();
    await first.page.getByLabel('E-mail address').fill(email);
    await expectClean(first);
    await first.page.getByRole('link', { name: 'Create an account' }).click();
    await first.page.getByText('You are invited to an organization.').waitFor();
    expect(await first.page.getByLabel('E-mail address').inputValue()).toBe(email);
    await first.page.getByLabel('Your name').fill('Ada');
    await first.page.getByLabel('Password').fill(PASSWORD);
    await expectClean(first);
    const mail = await mails.after(email, () => first.page.getByLabel('Password').press('Enter'));
    await first.page.getByRole('heading', { name: 'Open the link in the mail' }).waitFor();
    const { hash } = new URL(/https?:\/\/\S+\/console\/verify#\S+/.exec(mail.text)?.[0] ?? 'none:');

    const tab = isElsewhere ? await openTab(browser, cloud, `/console/verify${hash}`) : first;
    if (!isElsewhere) await tab.page.goto(`${cloud.mainApi.url}/console/verify${hash}`);
    await tab.page.getByLabel('Your password').fill(PASSWORD);
    await tab.page.getByRole('button', { name: 'Verify the address' }).click();
    await tab.page.waitForURL(`${cloud.mainApi.url}${linkOf(invited)}`);
    await tab.page.getByRole('button', { name: 'Accept' }).click();
    await tab.page.waitForURL(`${cloud.mainApi.url}${tenant()}`);
    expect(await cloud.rows('select status from invitations where email = $1', [email])).toEqual([
      { status: 'accepted' },
    ]);
    await expectClean(tab);
    await Promise.all([first.close(), ...(isElsewhere ? [tab.close()] : [])]);
  });

  it('decline an invitation after a question', async () => {
    const { email } = await userWithPassword(cloud, { email: unique('no') });
    await cloud.main().post(`${cloud.tenant}/invitations`, { email });
    const tab = await openTab(browser, cloud, '/console/account', PHONE);
    const { page } = tab;
    await signIn(page, email);
    await page.getByRole('button', { name: 'Decline' }).click();
    await expectClean(tab);
    expect(await cloud.rows('select status from invitations where email = $1', [email])).toEqual([
      { status: 'pending' },
    ]);

    await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();

    await page.getByText('No invitation waits for you.').waitFor();
    expect(await cloud.rows('select status from invitations where email = $1', [email])).toEqual([
      { status: 'rejected' },
    ]);
    await expectClean(tab);
    await tab.close();
  });

  it('take over an organization, or decline the offer', async () => {
    const { id, email } = await userWithPassword(cloud, { email: unique('heir') });
    const offers = await Promise.all(
      ['Taken', 'Declined'].map(async (name) => {
        const { tenantId } = await given.tenant(cloud);
        await given.membership(cloud, id, { tenantId, roles: ['viewer'] });
        await cloud.rows('update tenants set name = $2 where id = $1', [tenantId, name]);
        const [row] = await cloud.rows<{ id: string }>(
          `insert into ownership_transfers (tenant_id, from_user_id, to_user_id, expires_at)
           select id, owner_id, $2, now() + interval '1 day' from tenants where id = $1 returning id`,
          [tenantId, id],
        );
        return { tenantId, id: row?.id };
      }),
    );
    const tab = await openTab(browser, cloud, `/pages/ownership_transfer?id=${offers[0]?.id}`);
    const { page } = tab;
    await signIn(page, email);
    await page.getByText('If you accept, you own it').waitFor();
    await expectClean(tab);

    await page.getByRole('button', { name: 'Own the organization' }).click();
    await page.getByRole('heading', { name: 'Taken' }).waitFor();
    await page.getByRole('link', { name: email }).click();
    await page.getByRole('row').filter({ hasText: 'Declined' }).getByRole('button', { name: 'Decline' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
    await page.getByRole('heading', { name: 'Offered organizations' }).waitFor({ state: 'detached' });

    const owners = offers.map(async ({ tenantId }) => {
      const [row] = await cloud.rows<{ owner: boolean }>('select owner_id = $2 as owner from tenants where id = $1', [
        tenantId,
        id,
      ]);
      return row?.owner;
    });
    expect(await Promise.all(owners)).toEqual([true, false]);
    await expectClean(tab);
    await tab.close();
  });

  it('let only the owner offer an organization, with a mailed code', async () => {
    const { tenantId } = await given.tenant(cloud);
    const owner = await userWithPassword(cloud, { email: unique('owner') });
    const heir = await userWithPassword(cloud, { email: unique('chosen'), name: ODD_NAME });
    for (const { id } of [owner, heir]) await given.membership(cloud, id, { tenantId, roles: ['admin'] });
    const path = `/console/t/${tenantId}/settings`;
    const admin = await openTab(browser, cloud, path, PHONE);
    await signIn(admin.page, owner.email);
    await admin.page.getByText('Offer the organization to another member').click();
    await admin.page.getByText('Only the owner offers the organization.').first().waitFor();
    await expectClean(admin);
    await admin.close();
    await cloud.rows('update tenants set owner_id = $2 where id = $1', [tenantId, owner.id]);

    const tab = await openTab(browser, cloud, path);
    const { page } = tab;
    await signIn(page, owner.email);
    await page.getByText('Offer the organization to another member').click();
    await page.getByLabel('Member', { exact: true }).selectOption({ value: String(heir.id) });
    const mail = await mails.after(owner.email, () => page.getByRole('button', { name: 'Mail a code' }).click());
    await page.getByRole('status').filter({ hasText: 'A code was mailed.' }).waitFor();
    await page.getByLabel('Code', { exact: true }).fill(/^[A-Z2-9]{8}$/m.exec(mail.text)?.[0] ?? '');
    await expectClean(tab);
    await page.getByRole('button', { name: 'Offer the organization' }).click();
    await page.getByRole('status').filter({ hasText: 'The organization is offered.' }).waitFor();

    const offers = await cloud.rows(
      'select to_user_id::int as heir, status from ownership_transfers where tenant_id = $1',
      [tenantId],
    );
    expect(offers).toEqual([{ heir: heir.id, status: 'pending' }]);
    await expectClean(tab);
    await tab.close();
  });

  it('let an admin answer requests to join, and tell a viewer why not', async () => {
    const people = await Promise.all(
      ['Mae', 'Max'].map(async (name) => {
        const { id } = await given.user(cloud, { email: unique(name.toLowerCase()), name });
        return { id, request: await given.joinRequest(cloud, id) };
      }),
    );
    const [mae, max] = people;
    const viewer = await member(['viewer'], `${tenant()}/join-requests/${mae?.request}`, PHONE);
    await viewer.page.getByText('You need the permission member:manage here.').first().waitFor();
    await expectClean(viewer.tab);
    await viewer.page.getByRole('button', { name: 'Approve' }).click({ force: true });
    await expectClean(viewer.tab);
    await viewer.tab.close();

    const { tab, page } = await member(
      ['admin'],
      `/pages/join_request?tenant_id=${cloud.installation.tenant_id}&id=${mae?.request}`,
    );
    await page.getByRole('checkbox', { name: 'developer' }).check();
    await expectClean(tab);
    expect(await cloud.rows('select 1 from members where user_id = $1', [mae?.id])).toEqual([]);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('status').filter({ hasText: 'The request is approved.' }).waitFor();
    await page.getByRole('link', { name: 'Go to the members' }).click();
    await page.getByRole('link', { name: 'Answer Max' }).waitFor();
    await expectClean(tab);
    await page.getByRole('link', { name: 'Answer Max' }).click();
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await page.getByRole('status').filter({ hasText: 'The request is rejected.' }).waitFor();

    const { body } = await cloud.main().get(`${cloud.tenant}/members/${mae?.id}`);
    expect(body.roles.map(({ name }: { name: string }) => name)).toEqual(['developer']);
    expect(await cloud.rows('select 1 from members where user_id = $1', [max?.id])).toEqual([]);
    await tab.close();
  });

  it('change the name and the password, end sessions, and leave an organization', async () => {
    const { tab, page, id, email } = await member(['viewer'], '/console/account');
    await page.getByRole('cell', { name: 'this session' }).waitFor();
    const others = await Promise.all([given.session(cloud, id), given.session(cloud, id)]);
    await page.reload();
    const rows = page.getByRole('region', { name: 'Sessions' }).first().getByRole('row');
    await rows.nth(3).waitFor();
    expect(await rows.count()).toBe(4);
    await expectClean(tab);

    await page.getByLabel('Your name').fill('Ann Other');
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually('the name is kept', async () => {
      const [row] = await cloud.rows<{ name: string }>('select name from users where id = $1', [id]);
      return row?.name === 'Ann Other';
    });
    const end = rows.filter({ hasNotText: 'this session' }).getByRole('button', { name: 'End' });
    await end.first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'End' }).click();
    await eventually('three sessions are left', async () => (await rows.count()) === 3);
    await page.getByRole('button', { name: 'End all other sessions' }).click();
    await expectClean(tab);
    await page.getByRole('dialog').getByRole('button', { name: 'End all other sessions' }).click();
    await eventually('two sessions are left', async () => (await rows.count()) === 2);
    // The open question keeps the keys from the page below.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const ended = others.map((other) => other.id);
    expect(await cloud.rows('select 1 from sessions where id = any($1::bigint[])', [ended])).toEqual([]);

    await page.getByLabel('Current password').fill('not the password');
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByRole('alert').filter({ hasText: 'E-mail or password is wrong' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByRole('status').filter({ hasText: 'The password has changed.' }).waitFor();
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.getByText('You are a member of no organization.').waitFor();
    expect(await cloud.rows('select 1 from members where user_id = $1', [id])).toEqual([]);
    await expectClean(tab);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await signIn(page, email, NEW_PASSWORD);
    await page.getByRole('heading', { name: 'You are a member of no organization' }).waitFor();
    await tab.close();
  });

  describe('when the session ends', () => {
    const end = (email: string) =>
      cloud.rows('delete from sessions where user_id = (select id from users where email = $1)', [email]);

    it.each([
      ['light and wide', {}],
      ['dark, on a phone', PHONE],
    ])('ask for the password, and lose nothing that was typed: %s', async (_, look) => {
      const name = `Half typed ${Date.now()}`;
      const { tab, page, email } = await member(['admin'], `${tenant()}/divisions`, look);
      await page.getByText('New division', { exact: true }).click();
      const form = page.locator('details[open]');
      await form.getByLabel('Name').fill(name);
      await end(email);

      // A read of the page can open the dialog first. The dialog then covers the button, so this is no click of a mouse.
      await form.getByRole('button', { name: 'Create' }).dispatchEvent('click');
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
      await dialog.getByText(email).waitFor();
      await expectClean(tab);
      await dialog.getByLabel('Password').fill('not the password');
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      await dialog.getByRole('alert').filter({ hasText: 'E-mail or password is wrong' }).waitFor();
      await dialog.getByLabel('Password').fill(PASSWORD);
      await dialog.getByLabel('Password').press('Enter');
      await dialog.waitFor({ state: 'detached' });

      expect(await form.getByLabel('Name').inputValue()).toBe(name);
      await form.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('heading', { name }).waitFor();
      await expectClean(tab);
      await tab.close();
    });

    it('read a page again that could not be shown', async () => {
      const { tab, page, email } = await member(['admin'], tenant());
      await page.getByRole('link', { name: 'Members', exact: true }).waitFor();
      await end(email);

      // A mouse above the link would read the page before the click.
      await page.getByRole('link', { name: 'Members', exact: true }).dispatchEvent('click');
      await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
      await dialog.getByLabel('Password').fill(PASSWORD);
      await dialog.getByRole('button', { name: 'Sign in' }).click();

      await page.getByRole('heading', { name: 'Members' }).waitFor();
      expect(await tab.accessibilityFaults()).toEqual([]);
      expect(tab.faults.filter((fault) => !fault.includes('(unauthenticated)'))).toEqual([]);
      await tab.close();
    });

    it('forget the person when another one signs in', async () => {
      const { tab, page, email } = await member(['admin'], `${tenant()}/members`);
      const other = await userWithPassword(cloud, { email: unique('other') });
      await page.getByRole('cell', { name: email }).waitFor();
      await end(email);
      await page.reload();
      await signIn(page, email);
      await page.getByRole('cell', { name: email }).waitFor();
      await end(email);

      await page.getByRole('link', { name: 'Audit' }).hover();
      await page.getByRole('dialog').getByRole('link', { name: 'Use another account' }).click();
      await signIn(page, other.email);

      await page.getByRole('heading', { name: 'You are a member of no organization' }).waitFor();
      expect(await page.content()).not.toContain(email);
      await expectClean(tab);
      await tab.close();
    });

    it('open the start page when another tab signed another person in', async () => {
      const { tab, page, email } = await member(['admin'], `${tenant()}/members`);
      const other = await userWithPassword(cloud, { email: unique('second') });
      await page.getByRole('cell', { name: email }).waitFor();
      const second = await page.context().newPage();
      await second.goto(`${cloud.mainApi.url}/console/sign-in`);
      await signIn(second, other.email);
      await second.getByRole('heading', { name: 'You are a member of no organization' }).waitFor();

      // The person comes back to the first tab.
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
      await page.getByRole('link', { name: other.email }).waitFor();

      expect(await page.content()).not.toContain(email);
      await tab.close();
    });
  });
});
