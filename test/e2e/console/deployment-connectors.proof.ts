import { describeWithBrowser, eventually } from '@libs/testing';
import type { Page } from 'playwright-core';
import { Receiver } from '../configs/receiver.fixture.js';
import { confirm, DeploymentStory, LOOKS } from './browser/deployment-story.js';
import { expectClean } from './browser/person-in-browser.js';

const STREAMS = [{ stream: 'orders', topics: ['orders'], schema: 'json' }];

/** Connectors of a real deployment, from the catalogue to a message that the destination refuses. */
describeWithBrowser('The screens of connectors', () => {
  let story: DeploymentStory;
  let receiver: Receiver;
  beforeAll(async () => {
    story = await DeploymentStory.begin(undefined, { ALLOW_PRIVATE_DESTINATIONS: 'true' });
    receiver = await Receiver.open();
  });
  afterEach(() => story.closeTabs());
  afterAll(async () => {
    await story?.end();
    await receiver?.close();
  });

  const instances = () => story.cloud.landlord.connectors.list(story.place);

  const activateIn = (page: Page) =>
    page.getByRole('row').filter({ hasText: /^HTTP/ }).getByRole('button', { name: 'Activate' });

  it.each(LOOKS)('list the catalogue in pages and by type: %s', async (_, look) => {
    const { tab, page } = await story.open('admin', '/connectors', look);
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByText('Page 2 of').waitFor();
    await page.getByLabel('Type').selectOption('source');
    await page.waitForURL('**/connectors?type=source');
    await page.getByRole('cell', { name: 'sink', exact: true }).first().waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('cell', { name: 'source', exact: true }).first().waitFor();

    expect(await page.getByRole('cell', { name: 'sink', exact: true }).count()).toBe(0);
    await expectClean(tab);
  });

  it('activate a connector, and configure the instance with the form of its schema', async () => {
    const { tab, page } = await story.open('admin', '/connectors');
    await activateIn(page).click();
    await page.getByLabel('Instance name').fill('Shop hook');
    await page.getByLabel('Instance key').fill('hook');
    await page.getByRole('button', { name: 'Activate the connector' }).click();
    await page.getByRole('heading', { name: 'Shop hook' }).waitFor();
    expect(await instances()).toMatchObject([{ name: 'Shop hook', key: 'hook', connector_key: 'http' }]);
    await page.getByText('active', { exact: true }).waitFor();

    await page.getByText('Sink', { exact: true }).click();
    await page.getByLabel('Enabled', { exact: true }).selectOption('Yes');
    await page.getByLabel('Streams', { exact: true }).fill(JSON.stringify(STREAMS));
    await page.getByText('HTTP', { exact: true }).click();
    await page.getByLabel('Url', { exact: true }).fill(receiver.url);
    await page.getByLabel('Headers', { exact: true }).fill('{"authorization":"open sesame"}');
    await page.getByLabel('Activate the version').check();
    expect(await page.getByRole('region', { name: 'Command', exact: true }).textContent()).not.toContain('sesame');
    await page.getByRole('button', { name: 'Save the version' }).click();
    await page.getByRole('row').filter({ hasText: 'Version 2' }).getByText('Yes').waitFor();
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('sesame');
    await page.getByRole('region', { name: 'Operation' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Version 2' }).click();
    await page.getByRole('region', { name: 'Values of version 2' }).getByText(receiver.url).waitFor();
    expect(await page.content()).not.toContain('sesame');
    // Refused messages cannot be read while the connectors start. The browser reports each refusal.
    await expectClean(tab, /status of 409 \(Conflict\)$/);

    await story.deployment.permit();
    const client = await story.deployment.admits();
    await client.send('orders', JSON.stringify({ order: 'first' }));
    await client.close();
    await eventually('the message came', () => receiver.count('first') === 1);
  });

  it('deliver a refused message again, and delete refused messages after a question', async () => {
    receiver.answers = 400;
    const [instance] = await instances();
    const { tab, page } = await story.open('admin', `/connectors/${instance?.id}`);
    await page.getByText('The destination has refused no message.').waitFor();
    const client = await story.deployment.admits();
    await client.send('orders', JSON.stringify({ order: '<b>refused\u202E</b>' }));
    await client.send('orders', JSON.stringify({ order: 'another' }));
    await client.close();

    const row = page.getByRole('row').filter({ hasText: '<b>refused\\u{202e}</b>' });
    await row.waitFor({ timeout: 60_000 });
    receiver.answers = 200;
    await row.getByRole('button', { name: 'Deliver again' }).click();
    await row.waitFor({ state: 'detached' });
    expect(receiver.count('refused')).toBeGreaterThan(1);
    await expectClean(tab);
    await confirm(page, 'Delete all', 'Delete all refused messages of this connector?');
    await page.getByText('The destination has refused no message.').waitFor();
    const letters = await story.cloud.landlord.deadLetters.list({
      ...story.place,
      connector_instance_id: instance?.id ?? 0,
    });
    expect(letters.total_results).toBe(0);
    expect(await page.getByRole('button', { name: 'Deliver all again' }).getAttribute('aria-disabled')).toBe('true');
    expect(tab.faults).toEqual([]);
  });

  it('apply the active configurations again', async () => {
    const { tab, page } = await story.open('admin', '/connectors', { isDark: true, width: 390 });
    const list = () => story.cloud.landlord.tasks.list(story.place);
    const before = (await list()).length;
    await confirm(page, 'Apply the active configuration', /Each node restarts its programs/);
    await eventually('the new task is completed', async () => (await list())[0]?.status === 'completed');
    await page.getByRole('row').filter({ hasText: 'completed' }).nth(before).waitFor();

    expect((await list()).length).toBe(before + 1);
    expect((await list())[0]).toMatchObject({ type: 'connectors:reconfigure', config_id: null });
    await expectClean(tab);
  });

  it('name the permission that a viewer lacks', async () => {
    const [instance] = await instances();
    const { tab, page } = await story.open('viewer', `/connectors/${instance?.id}`, { isDark: true, width: 390 });
    await page.getByText('You need the permission deployment:connector:manage here.').first().waitFor();
    await page.getByText('You need the permission deployment:config:manage here.').first().waitFor();
    await expectClean(tab);
    await page.getByRole('link', { name: 'Connectors' }).click();
    const activate = activateIn(page);
    expect(await activate.getAttribute('aria-disabled')).toBe('true');
    await activate.click({ force: true });
    await page.getByRole('button', { name: 'Delete' }).click({ force: true });
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.getByLabel('Instance name').count()).toBe(0);
    await expectClean(tab);
  });

  it('delete an instance after a question', async () => {
    const { tab, page } = await story.open('admin', '/connectors');
    await confirm(page, 'Delete', 'Delete the connector Shop hook and its configurations?');
    await page.getByText('No connector is activated.').waitFor();
    expect(await instances()).toEqual([]);
    await expectClean(tab);
  });
});
