import { describeWithBrowser, eventually, openBrowser, TestCloud, WebhookReceiver } from '@libs/testing';
import type { Browser } from 'playwright-core';
import { expectClean, ODD_NAME, signInMember } from './browser/person-in-browser.js';

/** Channels, with a receiver that gets what they send. */
describeWithBrowser('The channels in the console', () => {
  let cloud: TestCloud;
  let browser: Browser;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    const env = await WebhookReceiver.env();
    [cloud, browser, receiver] = await Promise.all([TestCloud.borrow({ env }), openBrowser(), WebhookReceiver.start()]);
  });
  afterAll(async () => {
    await browser?.close();
    await receiver?.stop();
    await cloud?.stop();
  });
  const signedIn = (roles: string[], path: string, look = {}) =>
    signInMember(cloud, browser, { roles, path: `/t/${cloud.installation.tenant_id}${path}`, look });

  it('sends a test to a webhook that a person creates, changes and deletes', async () => {
    const { tab, page } = await signedIn(['admin'], '/channels');
    await page.getByText('New channel').click();
    await page.getByLabel('Kind').nth(1).selectOption('webhook');
    await page.getByLabel('Name', { exact: true }).fill(ODD_NAME);
    await page.getByLabel('Destination').fill(`${receiver.url}/from-the-console`);
    await page.getByLabel('Headers, as JSON').fill('{"x-team": "shop"');
    await page.getByRole('button', { name: 'Create the channel' }).click();
    await page.getByText(/^This is not JSON/).waitFor();
    await page.getByLabel('Headers, as JSON').fill('{"x-team": "shop"}');
    await expectClean(tab);
    await page.getByRole('button', { name: 'Create the channel' }).click();
    const secret = await page.getByRole('region', { name: 'Secret' }).textContent();
    expect(secret).toMatch(/^whsec_/);

    await page.getByRole('link', { name: ODD_NAME }).click();
    await page.getByRole('heading', { name: ODD_NAME }).waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByText('There is no subscription: the channel gets every event of the organization.').waitFor();
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await page.getByRole('row').filter({ hasText: 'delivered' }).waitFor();
    const [request] = await eventually('the test has come', async () => {
      const all = receiver.at('/from-the-console');
      return all.length > 0 ? all : undefined;
    });
    expect(request?.headers['x-team']).toBe('shop');
    await page.getByRole('button', { name: 'Show', exact: true }).first().click();
    await page.getByRole('region', { name: 'Content' }).waitFor();
    await expectClean(tab);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Send again' }).first().click();
    await eventually('the event has come again', async () => receiver.at('/from-the-console').length > 1 || undefined);

    await page.getByText('Change the channel').click();
    await page.getByLabel('The channel sends events').uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('off', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('There is no channel yet.').waitFor();
    expect(await cloud.rows('select 1 from notification_channels')).toEqual([]);
    expect(tab.faults).toEqual([]);
    await tab.close();
  });

  it('subscribes a channel of a division to events, and shows and replaces the subscriptions', async () => {
    const { tab, page } = await signedIn(['admin'], '/channels', { isDark: true, width: 390 });
    await page.getByLabel('Only channels of the division').selectOption({ index: 1 });
    await page.getByText('New channel').click();
    await page.getByLabel('Kind').nth(1).selectOption('slack');
    await page.getByLabel('Name', { exact: true }).fill('of the division');
    await page.getByLabel('Destination').fill(`${receiver.url}/slack`);
    await page.getByLabel('Slack channel').fill('#ops');
    await page.getByRole('button', { name: 'Create the channel' }).click();
    await page.getByRole('link', { name: 'of the division' }).click();
    expect(new URL(page.url()).searchParams.get('division')).toMatch(/^\d+$/);

    await page.getByText('New subscription').click();
    await page.getByRole('checkbox', { name: 'environment created', exact: false }).check();
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await page.getByRole('button', { name: 'Show the scope' }).click();
    await page.getByRole('dialog').getByText('Environments').waitFor();
    await expectClean(tab);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByText('Change all subscriptions').click();
    const json = page.getByRole('textbox', { name: 'Subscriptions' });
    await json.fill((await json.inputValue()).replace('environment_created', 'environment_deleted'));
    await page.getByRole('button', { name: 'Replace all subscriptions' }).click();
    await page.getByRole('cell', { name: 'environment deleted' }).waitFor();

    const [subscription] = await cloud.rows('select message_types from notification_subscriptions');
    expect(subscription).toEqual({ message_types: ['environment_deleted'] });
    await json.fill('[]');
    await page.getByRole('button', { name: 'Replace all subscriptions' }).click();
    const question = page.getByRole('dialog');
    await question.getByText('Delete all subscriptions? Without a subscription, the channel gets every').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).last().click();
    await question.getByText('Delete the only subscription? Without a subscription, the channel gets every').waitFor();
    expect(await cloud.rows('select message_types from notification_subscriptions')).toEqual([subscription]);
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('There is no subscription: the channel gets every event of the division.').waitFor();
    expect(await cloud.rows('select 1 from notification_subscriptions')).toEqual([]);
    await expectClean(tab);
    await tab.close();
  });

  it('says what a person may not do', async () => {
    const { tab, page } = await signedIn(['viewer'], '/channels');
    await page.getByText('New channel').click();
    await page.getByText('You need the permission notifications:manage here.').waitFor();

    expect(await page.getByRole('button', { name: 'Create the channel' }).getAttribute('aria-disabled')).toBe('true');
    await expectClean(tab);
    await tab.close();
  });
});
