import { describeWithBrowser, eventually } from '@libs/testing';
import { confirm, DeploymentStory, LOOKS } from './browser/deployment-story.js';
import { expectClean } from './browser/person-in-browser.js';

/** The configuration of the broker, from its form to the nodes. */
describeWithBrowser('The screen of the configuration', () => {
  let story: DeploymentStory;
  beforeAll(async () => {
    story = await DeploymentStory.begin();
  });
  afterEach(() => story.closeTabs());
  afterAll(() => story?.end());

  const versions = () => story.cloud.landlord.configs.listVersions({ ...story.place, config_name: 'broker' });
  const active = async () => (await versions()).find(({ primary }) => primary);

  it.each(LOOKS)('has a field for each key of the schema: %s', async (_, look) => {
    const { tab, page } = await story.open('admin', '/configuration', look);
    await page.getByText('MQTT', { exact: true }).click();
    await page.getByLabel('Max connections').waitFor();
    const described = await page.getByLabel('Max connections').getAttribute('aria-describedby');
    const hint = page.locator(`[id="${described?.split(' ')[0]}"]`);

    expect(await hint.textContent()).toContain('Default: 1,000. From 1 to 100,000.');
    expect(await page.getByLabel('Retain enabled').locator('option').allTextContents()).toEqual([
      ...['Default: yes', 'Yes', 'No'],
    ]);
    expect(await page.getByLabel('Max qos').count()).toBe(0);
    await expectClean(tab);
  });

  it('keeps a draft over a reload, saves a version, activates it, and applies it after a question', async () => {
    const { tab, page } = await story.open('admin', '/configuration');
    await page.getByText('MQTT', { exact: true }).click();
    await page.getByLabel('Max connections').fill('500');
    await page.reload();
    await page.getByText('MQTT', { exact: true }).click();
    expect(await page.getByLabel('Max connections').inputValue()).toBe('500');
    await page.getByText(`--values '{"mqtt":{"max_connections":500}}'`).waitFor();
    await page.getByRole('button', { name: 'Save the version' }).click();

    const row = page.getByRole('row').filter({ hasText: 'Version 2' });
    await row.waitFor();
    expect((await versions())[0]).toMatchObject({
      version: 2,
      primary: false,
      values: { mqtt: { max_connections: 500 } },
    });
    const activate = row.getByRole('button', { name: 'Activate' });
    // Activating a version loses nothing.
    expect(await activate.getAttribute('class')).not.toBe(
      await row.getByRole('button', { name: 'Delete' }).getAttribute('class'),
    );
    await activate.click();
    await row.getByText('Yes').waitFor();
    expect(await active()).toMatchObject({ version: 2 });

    await confirm(page, 'Apply the active configuration', /Each node restarts its programs/);
    await page.getByRole('region', { name: 'Operation' }).getByRole('link', { name: 'run activity' }).waitFor();
    await eventually('the node runs by version 2', async () => {
      const { nodes } = await story.cloud.landlord.runtime.get(story.place);
      return nodes.every(({ config_version }) => config_version === 2);
    });
    await page.getByRole('region', { name: 'Operation' }).waitFor({ state: 'detached' });
    await page.getByRole('row').filter({ hasText: 'completed' }).first().waitFor();
    await expectClean(tab);
  });

  it('compares two versions by an address, and goes on from the open one', async () => {
    const { tab, page } = await story.open('admin', '/configuration');
    await page.getByRole('link', { name: 'Version 2' }).click();
    await page.getByLabel('Compare with').selectOption('Version 1');
    await page.waitForURL('**/configuration?version=2&against=1');
    await page.reload();
    const changes = page.getByRole('table').filter({ hasText: 'mqtt.max_connections' });
    await changes.waitFor();

    expect(await changes.getByRole('row').last().getByRole('cell').allTextContents()).toEqual([
      ...['mqtt.max_connections', '1000', '500', 'Yes'],
    ]);
    await page.getByText('MQTT', { exact: true }).click();
    expect(await page.getByLabel('Max connections').inputValue()).toBe('500');
    await page.getByRole('link', { name: 'Version 1' }).click();
    await page.getByText('The fields have the values of version 1.').waitFor();
    expect(await page.getByLabel('Max connections').inputValue()).toBe('');
    await expectClean(tab);
  });

  it('shows the reason of the API at its field, activates at once, and deletes a version', async () => {
    const { tab, page } = await story.open('admin', '/configuration');
    await page.getByText('MQTT', { exact: true }).click();
    await page.getByLabel('Max connections').fill('0');
    await page.getByRole('button', { name: 'Save the version' }).click();
    await page.getByRole('alert').filter({ hasText: '1' }).first().waitFor();
    expect(await page.getByLabel('Max connections').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Connect timeout').getAttribute('aria-invalid')).toBe('false');
    expect(await versions()).toHaveLength(2);

    await page.getByLabel('Max connections').fill('600');
    await page.getByLabel('Activate the version').check();
    await page.getByRole('button', { name: 'Save the version' }).click();
    await page.getByRole('row').filter({ hasText: 'Version 3' }).getByText('Yes').waitFor();
    expect(await active()).toMatchObject({ version: 3, values: { mqtt: { max_connections: 600 } } });
    const first = page.getByRole('row').filter({ hasText: 'Version 1' });
    await confirm(first, 'Delete', 'Delete version 1?');
    await first.waitFor({ state: 'detached' });
    expect((await versions()).map(({ version }) => version)).toEqual([3, 2]);
    // The browser reports the refusal that the test asked for.
    expect(tab.faults).toEqual([expect.stringContaining('400')]);
  });

  it('names the permission that a viewer lacks', async () => {
    const { tab, page } = await story.open('viewer', '/configuration');
    const save = page.getByRole('button', { name: 'Save the version' });
    await page.getByText('You need the permission deployment:config:manage here.').first().waitFor();

    expect(await save.getAttribute('aria-disabled')).toBe('true');
    await save.click({ force: true });
    const apply = page.getByRole('button', { name: 'Apply the active configuration' });
    await page.getByText('You need the permission deployment:task:manage here.').waitFor();
    expect(await apply.getAttribute('aria-disabled')).toBe('true');
    expect(await versions()).toHaveLength(2);
    await expectClean(tab);
  });
});
