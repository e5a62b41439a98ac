import { describeWithBrowser, TestDeployment } from '@libs/testing';
import type { Page } from 'playwright-core';
import { confirm, DeploymentStory } from './browser/deployment-story.js';
import { expectClean } from './browser/person-in-browser.js';

const ON_A_PHONE = { isDark: true, width: 390 };
/** The sizes above the size of the deployment. */
const LARGER = ['medium', 'large', 'xlarge', '2xlarge', '4xlarge', '8xlarge', '16xlarge'];
const centsOf = (amount: string): number => Math.round(Number(amount.replace(/[^\d.-]/g, '')) * 100);

/** What people do with a deployment over time: its nodes, its login, its certificate, its size and its limits. */
describeWithBrowser('The screens for the care of a deployment', () => {
  let story: DeploymentStory;
  beforeAll(async () => {
    story = await DeploymentStory.begin((cloud) => TestDeployment.paid(cloud));
  });
  afterEach(() => story.closeTabs());
  afterAll(() => story?.end());

  const record = () =>
    story.cloud.landlord.deployments.get({ ...story.cloud.placeIds, deployment_id: story.deployment.id });
  const runtime = () => story.cloud.landlord.runtime.get(story.place);
  /** The operation is shown, and has an end. */
  async function followed(page: Page, type: string): Promise<void> {
    const strip = page.getByRole('region', { name: 'Operation' });
    await strip.getByRole('link', { name: type }).waitFor();
    await strip.waitFor({ state: 'detached', timeout: 90_000 });
    const { items } = await story.cloud.landlord.operations.list({ deployment: story.deployment.id });
    expect(items[0]).toMatchObject({ type: type.replaceAll(' ', '_'), status: 'succeeded' });
  }

  it('restart one node, after a question', async () => {
    const before = await runtime();
    const { tab, page } = await story.open('admin', '/activities', ON_A_PHONE);
    await page.getByText('No activity yet.').waitFor();
    await page.getByLabel('Action').selectOption('Stop');
    await page.waitForURL('**/activities?action=stop');
    await page.getByLabel('Action').selectOption('Restart');
    await page.getByLabel('node-1').check();
    await page.getByText(/landlord activities request broker restart --nodes \d+ --deployment/).waitFor();
    await confirm(page, 'Restart', 'Restart the broker of the nodes?');
    await followed(page, 'run activity');
    const done = page.getByRole('row').filter({ hasText: 'broker restart' });
    await done.getByText('completed').waitFor();
    expect(await done.getByRole('cell').nth(1).textContent()).toBe('node-1');

    const after = await runtime();
    const starts = ({ nodes }: typeof after) =>
      nodes.map(({ runtimes }) => runtimes.find((one) => one.runtime === 'broker')?.started_at);
    const changed = starts(after).map((at, index) => at !== starts(before)[index]);
    expect(changed).toEqual(after.nodes.map(({ name }) => name === 'node-1'));
    await expectClean(tab);
  });

  it('show the reports of all nodes, and of one node by an address', async () => {
    const { tab, page } = await story.open('viewer', '/nodes', ON_A_PHONE);
    const { nodes } = await runtime();
    const reports = page.getByRole('table').filter({ hasText: 'Minute' });
    await reports.waitFor();
    await page.getByLabel('Node', { exact: true }).selectOption('node-2');
    const second = nodes.find(({ name }) => name === 'node-2')?.id;
    await page.waitForURL(`**/nodes?node=${second}`);
    await page.reload();
    await reports.waitFor();

    const shown = await reports.locator('tbody td:nth-child(2)').allTextContents();
    expect(new Set(shown)).toEqual(new Set(['node-2']));
    await expectClean(tab);
    await page.getByRole('link', { name: 'Metrics' }).click();
    await page.getByText(`/deployments/${story.deployment.id}/metrics/prometheus`).first().waitFor();
    for (const { id, name } of nodes)
      await page
        .getByRole('region', { name: `Command for ${name}` })
        .getByText(`landlord metrics get-series ${id} broker --deployment ${story.deployment.id}`, { exact: true })
        .waitFor();
    await tab.page.getByRole('link', { name: 'Network', exact: true }).click();
    const addresses = page.getByRole('table').filter({ hasText: 'Private address' }).locator('tbody td:first-child');
    await addresses.first().waitFor();
    expect(await addresses.allTextContents()).toEqual(nodes.map(({ name }) => name));
    expect(await addresses.locator('span').first().getAttribute('title')).toBe(`Id ${nodes[0]?.id}`);
    await page.getByRole('link', { name: 'Logs', exact: true }).click();
    const line = page
      .getByRole('listitem')
      .filter({ hasText: /broker:/ })
      .first();
    await line.waitFor();
    expect(await line.textContent()).toMatch(/ (debug|info|warn|error) node-\d broker:/);
    await expectClean(tab);
  });

  it('replace the certificate and the password of the clients, each after a question', async () => {
    const { tab, page } = await story.open('admin', '/security', ON_A_PHONE);
    const { certificates, runtime: of } = story.cloud.landlord;
    const [certificate, login] = await Promise.all([certificates.get(story.place), of.getCredentials(story.place)]);
    await page.getByText(certificate.serial).waitFor();
    await confirm(page, 'Replace the certificate', 'Replace the certificate and the key of every node?');
    await followed(page, 'rotate certificates');
    await page.getByText(certificate.serial).waitFor({ state: 'detached' });
    expect((await certificates.get(story.place)).serial).not.toBe(certificate.serial);

    await page.getByLabel('Seconds for which the old password works').fill('0');
    await confirm(page, 'Replace the password', 'Replace the password of the clients?');
    await followed(page, 'rotate credentials');
    const now = await of.getCredentials(story.place);
    expect(now.password).not.toBe(login.password);
    expect(now.previous_until).toBeNull();
    expect(await page.content()).not.toContain(now.password);
    await expectClean(tab);
  });

  it('show the price of an upgrade, and upgrade after a question', async () => {
    const { tab, page } = await story.open('admin', '/upgrade', ON_A_PHONE);
    await page.getByText('Nothing has changed.').waitFor();
    const sizes = page.getByLabel('Size of each node').getByRole('option');
    expect(await sizes.allTextContents()).toEqual(['As now', ...LARGER]);
    await page.getByLabel('Managed tier').selectOption('performance');
    await page.getByRole('button', { name: 'Show the price' }).click();
    const price = page.getByRole('status').filter({ hasText: 'Estimated transfer' });
    await price.getByText('No node changes.').waitFor();
    const cells = await price.locator('tbody td:not(:first-child)').allTextContents();
    const [base, transfer, total] = [0, 3, 6].map((at) => cells.slice(at, at + 3).map(centsOf));
    expect(base?.[0]).toBe(centsOf(await page.getByRole('definition').filter({ hasText: '$' }).first().innerText()));
    expect(base?.map((cents, at) => cents + (transfer?.[at] ?? NaN))).toEqual(total);
    expect([base, transfer, total].map((line) => (line?.[0] ?? NaN) + (line?.[2] ?? NaN))).toEqual(
      [base, transfer, total].map((line) => line?.[1]),
    );
    expect((await record()).managed_tier).toBe('standard');
    await expectClean(tab);
    await page.getByLabel('GB of storage for each node').fill('200');
    await price.waitFor({ state: 'detached' });
    await page.getByLabel('GB of storage for each node').fill('');

    await confirm(page, 'Upgrade', 'cannot be undone.');
    await page.getByRole('definition').filter({ hasText: 'performance' }).waitFor({ timeout: 60_000 });
    expect((await record()).managed_tier).toBe('performance');
    await expectClean(tab);
  });

  it('set and remove limits, and leave what is refused in its field', async () => {
    const { tab, page } = await story.open('admin', '/settings', ON_A_PHONE);
    await page.getByLabel('Days of metrics').fill('3');
    await page.getByRole('button', { name: 'Save the days' }).click();
    await page.getByLabel('USD a month').fill('500');
    await page.getByRole('button', { name: 'Save the limit' }).click();
    const remove = page.getByRole('button', { name: 'Remove the limit' });
    await page.getByText('There is no limit.').waitFor({ state: 'detached' });
    expect(await record()).toMatchObject({ spend_limit: 500, retention: { telemetry_days: 3 } });
    await remove.click();
    await page.getByText('There is no limit.').waitFor();
    expect((await record()).spend_limit).toBeNull();
    await expectClean(tab);

    await page.getByLabel('Days of metrics').fill('100000');
    await page.getByRole('button', { name: 'Save the days' }).click();
    await page.getByRole('alert').filter({ hasText: 'Request' }).waitFor();
    expect(await page.getByLabel('Days of metrics').inputValue()).toBe('100000');
    expect(tab.faults).toHaveLength(1);
    await page.goto(page.url().replace('/settings', '/upgrade'));
    await page.getByRole('textbox', { name: 'Nodes' }).fill('[{"count": 1}]');
    await page.getByRole('button', { name: 'Add the nodes' }).click();
    await page.getByRole('alert').filter({ hasText: 'Request' }).waitFor();
    expect((await record()).nodes_count).toBe(3);
  });

  it('name the permission that a viewer lacks', async () => {
    const { tab, page } = await story.open('viewer', '/security');
    const buttons = [
      ['/security', 'Replace the certificate'],
      ['/security', 'Replace the password'],
      ['/upgrade', 'Upgrade'],
      ['/activities', 'Restart'],
      ['/settings', 'Save the limit'],
    ] as const;
    for (const [path, name] of buttons) {
      await page.goto(page.url().replace(/\/\w+$/, path));
      await page.getByText('You need the permission deployment:manage here.').first().waitFor();
      const button = page.getByRole('button', { name, exact: true });
      expect(await button.getAttribute('aria-disabled')).toBe('true');
      await button.click({ force: true });
      expect(await page.getByRole('dialog').count()).toBe(0);
      await expectClean(tab);
    }
  });
});
