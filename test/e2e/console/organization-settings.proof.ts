import { describeWithBrowser, eventually, given, MailFolder, openBrowser, TestCloud } from '@libs/testing';
import type { Browser } from 'playwright-core';
import { expectClean, signInMember } from './browser/person-in-browser.js';

/** What belongs to the organization itself: accounts, roles, keys, costs, and its settings. */
describeWithBrowser('The settings of an organization in the console', () => {
  let cloud: TestCloud;
  let browser: Browser;
  beforeAll(async () => {
    [cloud, browser] = await Promise.all([TestCloud.borrow(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await cloud?.stop();
  });
  const signedIn = (roles: string[], path: string, look = {}) =>
    signInMember(cloud, browser, { roles, path: `/t/${cloud.installation.tenant_id}${path}`, look });

  it('stores, changes and deletes a cloud account, and keeps the draft of a form over a reload', async () => {
    const { tab, page } = await signedIn(['admin'], '/cloud-accounts');
    await page.getByText('New cloud account').click();
    await page.getByLabel('Cloud', { exact: true }).selectOption('aws');
    await page.getByLabel('Name', { exact: true }).fill('Our AWS');
    await page.reload();
    await page.getByText('New cloud account').click();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Our AWS');
    await page.getByLabel('Account or project').fill('123');
    await page.getByRole('button', { name: 'Store the account' }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: /12 digits|account_id/ })
      .first()
      .waitFor();
    await page.getByLabel('Account or project').fill('123456789012');
    await page.getByLabel('VPC id').fill('vpc-0123456789abcdef0');
    await page.getByRole('button', { name: 'Store the account' }).click();
    await page.getByText('is missing').first().waitFor();
    await page.getByLabel('ARN of the role').fill('arn:aws:iam::123456789012:role/landlord');
    await page.getByLabel('External id').fill('an-external-id');
    await page.getByRole('button', { name: 'Store the account' }).click();
    await page.getByRole('heading', { name: 'Our AWS' }).waitFor();
    // The browser reports each refused request.
    tab.forgive('status of 400 (Bad Request)');
    await expectClean(tab);
    await page.getByText('Change Our AWS').click();
    const opened = page.locator('details', { hasText: 'Change Our AWS' });
    await opened.getByLabel('Remarks').fill('paid by the shop');
    const command = opened.getByRole('region', { name: 'Command' });
    await command.filter({ hasText: 'paid by the shop' }).waitFor();
    expect(await command.textContent()).toMatch(/^landlord cloud-accounts update \d+ --remarks 'paid by the shop'$/);
    await page.getByRole('button', { name: 'Save Our AWS' }).click();
    await eventually('the remarks are stored', async () => {
      const [account] = await cloud.rows<{ remarks: string | null }>('select remarks from cloud_accounts');
      return account?.remarks === 'paid by the shop' || undefined;
    });
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('There is no cloud account.').waitFor();
    await expectClean(tab);
    await tab.close();
  });

  it('creates a role, gives it to a member, changes it and deletes it', async () => {
    const email = `new-role-${Date.now()}@people.example`;
    const { id } = await given.user(cloud, { email, name: 'Robin' });
    await given.membership(cloud, id, { roles: ['viewer'] });
    const { tab, page } = await signedIn(['admin'], '/roles', { isDark: true, width: 390 });
    await page.getByText('New role').click();
    await page.getByLabel('Name', { exact: true }).fill('watchers');
    const whole = page.getByRole('group', { name: 'In the whole organization' });
    await whole.getByRole('checkbox', { name: 'audit:read', exact: true }).check();
    await whole.getByRole('checkbox', { name: 'member:read', exact: true }).check();
    await expectClean(tab);
    await page.getByRole('button', { name: 'Create the role' }).click();
    await page.getByRole('heading', { name: 'watchers' }).waitFor();
    await whole.getByRole('checkbox', { name: 'member:read', exact: true }).uncheck();
    await page.getByRole('button', { name: 'Save the role' }).click();
    await page.getByText('Give the role to members').click();
    await page.getByRole('checkbox', { name: new RegExp(email) }).check();
    await page.getByRole('button', { name: 'Give the role' }).click();
    await page.getByRole('cell', { name: email }).waitFor();

    const { body } = await cloud.main().get(`${cloud.tenant}/roles?kind=custom`);
    const made = body.items.find(({ name }: { name: string }) => name === 'watchers');
    expect(made.permissions.tenant).toEqual(['audit:read']);
    await expectClean(tab);
    await page.getByRole('button', { name: 'Take away' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take away' }).click();
    await page.getByText('No member has the role.').waitFor();
    await page.getByRole('button', { name: 'Delete the role' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the role' }).click();
    await page.getByRole('heading', { name: 'Roles', exact: true }).waitFor();
    expect(await cloud.rows("select 1 from roles where name = 'watchers'")).toEqual([]);
    expect(tab.faults).toEqual([]);
    await tab.close();
  });

  it.each([
    ['keys', 'Name of the key', 'There is no such key.'],
    ['roles', 'Name of the role', 'There is no such role.'],
  ])('finds %s by a part of their name', async (path, label, nothing) => {
    const { landlord } = cloud;
    const { id: role_id } = await landlord.roles.create({
      name: `50%_${path}`,
      permissions: { tenant: ['info:read'] },
    });
    const expiry_at = new Date(Date.now() + 86_400_000).toISOString();
    await landlord.apiKeys.create({ name: `50%_${path}`, role_id, expiry_at });
    const { tab, page } = await signedIn(['admin'], `/${path}`, { isDark: true, width: 390 });
    const found = page.getByRole('link', { name: `50%_${path}`, exact: true });
    await found.waitFor();
    const field = page.getByLabel(label);
    await field.pressSequentially('0%_');
    await page.waitForURL(`**/${path}?name=0%25_`);
    await found.waitFor();
    expect(await field.and(page.locator(':focus')).inputValue()).toBe('0%_');
    await field.pressSequentially('x');
    await page.getByText(nothing).waitFor();
    expect(await found.count()).toBe(0);
    await expectClean(tab);
    await tab.close();
  });

  it('shows roles of one kind, and invitations that were answered', async () => {
    const email = `declined-${Date.now()}@people.example`;
    const { id } = await cloud.landlord.invitations.create({ email });
    await cloud.rows(`update invitations set status = 'rejected' where id = $1`, [id]);
    const { tab, page } = await signedIn(['admin'], '/roles?kind=system');
    await page.getByRole('link', { name: 'viewer', exact: true }).waitFor();
    await page.getByLabel('Kind').selectOption('api_key');
    await page.getByRole('link', { name: 'viewer', exact: true }).waitFor({ state: 'detached' });

    await page.getByRole('link', { name: 'Members', exact: true }).click();
    await page.getByText('There is no open invitation.').waitFor();
    await page.getByLabel('Which invitations').selectOption('rejected');
    const row = page.getByRole('row').filter({ hasText: email });
    await row.getByText('The invitation is rejected.').waitFor();
    await page.getByLabel('State').selectOption('inactive');
    await page.waitForURL('**/members?*state=inactive*');
    await row.waitFor();
    await page.getByLabel('Which invitations').selectOption('all');
    await row.waitFor();
    await expectClean(tab);
    await tab.close();
  });

  it('changes the roles of a member', async () => {
    const email = `promoted-${Date.now()}@people.example`;
    const { id } = await given.user(cloud, { email, name: 'Kim' });
    await given.membership(cloud, id, { roles: ['viewer'] });
    const { tab, page } = await signedIn(['admin'], '/members');
    await page.getByRole('row').filter({ hasText: email }).getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: 'developer' }).check();
    await expectClean(tab);
    await dialog.getByRole('button', { name: 'Save the member' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('row').filter({ hasText: email }).filter({ hasText: 'developer' }).waitFor();

    const { body } = await cloud.main().get(`${cloud.tenant}/members/${id}`);
    expect(body.roles.map(({ name }: { name: string }) => name).sort()).toEqual(['developer', 'viewer']);
    expect(tab.faults).toEqual([]);
    await tab.close();
  });

  it('limits a key to addresses, and makes a new secret', async () => {
    const { tab, page } = await signedIn(['admin'], '/keys');
    await page.getByText('New key').click();
    await page.getByLabel('Name', { exact: true }).fill('rotated here');
    await page.getByLabel('Role', { exact: true }).selectOption({ label: 'viewer' });
    await page.getByRole('button', { name: 'Create the key' }).click();
    const first = await page.getByRole('region', { name: 'Secret', exact: true }).textContent();
    await page.getByRole('link', { name: 'rotated here' }).click();
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    const second = await page.getByRole('region', { name: 'Secret', exact: true }).textContent();
    expect(second).not.toBe(first);
    expect(await cloud.main(first ?? '').get(cloud.tenant)).toBeProblem('unauthenticated');
    expect((await cloud.main(second ?? '').get(cloud.tenant)).status).toBe(200);
    await page.getByLabel('Only from these addresses').check();
    await page.getByRole('textbox', { name: 'Addresses' }).fill('203.0.113.7');
    await page.getByRole('button', { name: 'Save the addresses' }).click();
    await eventually('the key is refused from here', async () => {
      const { status } = await cloud.main(second ?? '').get(cloud.tenant);
      return status === 401 || status === 403 || undefined;
    });
    await expectClean(tab);
    await tab.close();
  });

  it('deletes a protected division with the code of a mail', async () => {
    const { body } = await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'guarded', protected: true });
    const { tab, page } = await signedIn(['admin'], `/divisions/${body.id}`);
    await page.getByRole('button', { name: 'Mail a code' }).click();
    const mails = new MailFolder(cloud.directory);
    const code = await eventually('a mail has the code', async () => {
      const texts = (await mails.all()).map(({ text }) => /^[A-Z2-9]{8}$/m.exec(text)?.[0]);
      return texts.findLast((found) => found !== undefined);
    });
    await page.getByLabel('Code from the mail').fill(code);
    await page.getByRole('button', { name: 'Delete guarded' }).click();
    await expectClean(tab);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete guarded' }).click();
    await page.getByRole('heading', { name: 'Divisions and environments' }).waitFor();

    expect((await cloud.main().get(`${cloud.tenant}/divisions/${body.id}`)).status).toBe(404);
    expect(tab.faults).toEqual([]);
    await tab.close();
  });

  it('changes the name of the organization, the rules for joining and the address of invoices', async () => {
    const { tab, page } = await signedIn(['admin', 'billing'], '/settings');
    await page.getByLabel('Description').fill('We sell <b>shoes</b>');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByLabel('Join policy').selectOption('request_to_join');
    await page.getByRole('button', { name: 'Save the rules' }).click();
    await eventually('both are stored', async () => {
      const [tenant, config] = await Promise.all([
        cloud.main().get(cloud.tenant),
        cloud.main().get(`${cloud.tenant}/config`),
      ]);
      return (
        (tenant.body.description === 'We sell <b>shoes</b>' && config.body.join_policy === 'request_to_join') ||
        undefined
      );
    });
    await expectClean(tab);
    await page.getByRole('link', { name: 'Payment' }).click();
    await page.getByLabel('Street').fill('Way 1');
    await page.getByLabel('City').fill('Ulm');
    await page.getByLabel('Postal code').fill('89073');
    await page.getByLabel('Country').fill('DE');
    await page.getByRole('button', { name: 'Save the address' }).click();
    await eventually('the address is stored', async () => {
      const { body } = await cloud.main().get(`${cloud.tenant}/billing/info`);
      return body.address?.city === 'Ulm' || undefined;
    });
    await expectClean(tab);
    await tab.close();
  });

  it('exports the audit with its filter, and proves that nobody changed it', async () => {
    await cloud.main().post(`${cloud.tenant}/divisions`, { name: 'to be exported' });
    const { tab, page } = await signedIn(['admin'], '/audit?type=division_created');
    await page.getByRole('cell', { name: 'to be exported', exact: true }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export as a file' }).click();
    const stream = await (await download).createReadStream();
    let text = '';
    for await (const part of stream) text += String(part);
    const types = new Set(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).type),
    );
    expect([...types]).toEqual(['division_created']);

    await page.getByText('Prove the audit').click();
    await page.getByRole('button', { name: 'Prove now' }).click();
    await page.getByText('Nothing was changed.').waitFor();
    await expectClean(tab);
    await tab.close();
  });

  it.each([
    ['usage', 'Usage', 'Reports of the months'],
    ['billing', 'Payment', 'Address of the invoices'],
    ['settings', 'Settings of the organization', 'Who may join'],
    ['cloud-accounts', 'Cloud accounts', 'New cloud account'],
    ['channels', 'Channels', 'There is no channel yet.'],
    ['plan', 'Limits of the plan', 'Deployments by size'],
  ])('shows %s on a phone, and says what a viewer may not do', async (path, title, text) => {
    const { tab, page } = await signedIn(['viewer'], `/${path}`, { isDark: true, width: 390 });
    await page.getByRole('heading', { name: title, exact: true }).waitFor();
    await page.getByText(text).first().waitFor();
    await expectClean(tab);
    await tab.close();
  });
});
