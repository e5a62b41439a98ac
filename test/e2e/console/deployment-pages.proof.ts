import {
  describeWithBrowser,
  eventually,
  given,
  MailFolder,
  openBrowser,
  TestCloud,
  TestDeployment,
} from '@libs/testing';
import type { Browser, Page } from 'playwright-core';
import { NO_SCHEDULE } from './browser/deployment-story.js';
import { MemberTabs, type Look } from './browser/member-tabs.js';
import type { WatchedTab } from './browser/watched-tab.js';

const CODE = /^[A-Z2-9]{8}$/m;
/** What an attacker writes into a log: markup, a colour of a terminal, and a character that turns the text around. */
const HOSTILE = '<img src=x onerror="document.title=1"> \u001B[31m\u202Eexe.txt';
const SHOWN = '<img src=x onerror="document.title=1"> \\u{1b}[31m\\u{202e}exe.txt';
const LOOKS = [
  ['light and wide', {}],
  ['dark', { isDark: true }],
  ['dark, on a phone', { isDark: true, width: 390 }],
] as const;

describeWithBrowser('The screens of a deployment', () => {
  let cloud: TestCloud;
  let browser: Browser;
  let deployment: TestDeployment;
  let tabs: MemberTabs;
  const home = () => cloud.mainApi.url;
  beforeAll(async () => {
    [cloud, browser] = await Promise.all([TestCloud.borrow(), openBrowser()]);
    tabs = new MemberTabs(browser, cloud);
    deployment = await TestDeployment.free(cloud);
  });
  afterEach(() => tabs.close());
  afterAll(async () => {
    await browser?.close();
    await cloud?.stop();
  });

  const addressOf = (screen: string, { id, cloud: { installation } } = deployment) =>
    `${home()}/console/t/${installation.tenant_id}/deployments/${id}${screen}`;

  const tabOf = (role: string, look: Look = {}, own = cloud): Promise<WatchedTab> => tabs.open(role, look, own);

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  const rowOf = (page: Page) =>
    page.getByRole('row').filter({ has: page.locator(`a[href$="/deployments/${deployment.id}"]`) });

  const writeLine = (message: string, level = 'info') =>
    cloud.rows(
      `insert into node_logs (deployment_id, node_id, at, runtime, level, message)
       select $1, id, now(), 'broker', $2, $3 from nodes where deployment_id = $1 limit 1`,
      [deployment.id, level, message],
    );

  it.each(LOOKS)('have addresses of their own, and no fault of accessibility: %s', async (_, look) => {
    const tab = await tabOf('admin', look);
    const { page } = tab;
    const looked: string[] = [];
    await page.goto(addressOf(''));
    const screens = page.getByRole('navigation', { name: 'Screens of the deployment' });
    for (const [name, heading, path] of [
      ['Overview', 'Nodes', ''],
      ['Nodes', 'Reports', '/nodes'],
      ['Logs', 'Logs', '/logs'],
      ['Metrics', 'Metrics', '/metrics'],
      ['Operations', 'Operations', '/operations'],
      ['Activities', 'Activities', '/activities'],
      ['Configuration', 'New version', '/configuration'],
      ['Connectors', 'Available connectors', '/connectors'],
      ['Backups', 'Backups', '/backups'],
      ['Snapshots', 'Snapshots', '/snapshots'],
      ['Network', 'Addresses', '/network'],
      ['Security', 'Certificate', '/security'],
      ['Upgrade', 'Size', '/upgrade'],
      ['Access', 'Access rules', '/access'],
      ['Settings', 'Protection', '/settings'],
    ] as const) {
      await screens.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { name: heading, exact: true }).waitFor();
      expect(page.url()).toBe(addressOf(path));
      expect(await screens.locator('[aria-current=page]').allTextContents()).toEqual([name]);
      looked.push(...(await tab.accessibilityFaults()).map((fault) => `${name}: ${fault}`));
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
    await page.goBack();
    await page.getByRole('heading', { name: 'Access rules', exact: true }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Access rules', exact: true }).waitFor();

    expect(looked).toEqual([]);
    expect(tab.faults.filter((fault) => !NO_SCHEDULE.test(fault))).toEqual([]);
  });

  it('follow the deployment with one small request at a time, also to a new name', async () => {
    const { page } = await tabOf('viewer');
    await page.goto(addressOf('/security'));
    await page.getByRole('heading', { name: 'Certificate' }).waitFor();
    await page.waitForLoadState('networkidle');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const list = `/tenants/${cloud.installation.tenant_id}/deployments`;
    const isPoll = (url: URL): boolean => url.pathname === list;
    await page.waitForResponse((response) => isPoll(new URL(response.url())));
    await page.waitForResponse((response) => isPoll(new URL(response.url())));

    const ofTenant = asked.filter((path) => path.startsWith('/tenants/'));
    expect(new Set(ofTenant)).toEqual(new Set([list]));
    const { items } = await cloud.landlord.deployments.listAll();
    const { division_id = 0, environment_id = 0 } = items.find(({ id }) => id === deployment.id) ?? {};
    const place = { division_id, environment_id, deployment_id: deployment.id };
    const { name } = await cloud.landlord.deployments.update({ ...place, name: 'renamed elsewhere' });
    await page.getByRole('heading', { name }).waitFor();
  });

  it('show lines of the log as they come, as text and nothing else', async () => {
    const tab = await tabOf('viewer');
    const { page } = tab;
    await page.goto(addressOf('/logs'));
    await page.getByText('broker is listening').first().waitFor();
    await writeLine(HOSTILE);
    await page.getByText(SHOWN).waitFor();
    expect(await page.locator('ol img').count()).toBe(0);

    await button(page, 'Pause').click();
    await page.getByText('Paused. New lines wait.').waitFor();
    await writeLine('written in the pause', 'warn');
    await page.reload();
    await button(page, 'Go on').click();
    await page.getByText('written in the pause').waitFor();

    await page.getByLabel('Level').selectOption('warn');
    await page.getByText(SHOWN).waitFor({ state: 'detached' });
    await page.getByLabel('Text').fill('IN THE');
    await button(page, 'Filter').click();
    await page.waitForURL('**/logs?level=warn&text=IN+THE');
    await page.reload();
    await page.getByText('written in the pause').waitFor();
    await writeLine('another one in the end', 'warn');
    await page.getByText('another one in the end').waitFor();
    await writeLine('of no interest', 'warn');
    await page
      .getByText(`landlord logs stream --level warn --message 'IN THE' --deployment ${deployment.id}`)
      .waitFor();
    expect(await page.getByText('of no interest').count()).toBe(0);
    expect(tab.faults).toEqual([]);
  });

  it('keep no more than 1,000 lines of the log', async () => {
    const { page } = await tabOf('viewer');
    await page.goto(addressOf('/logs?text=burst'));
    await page.getByText('No line of the last day matches.').waitFor();
    await writeLine('burst begins');
    await page.getByText('burst begins').waitFor();
    await cloud.rows(
      `insert into node_logs (deployment_id, node_id, at, runtime, level, message)
       select $1, 1, now() + n * interval '1 ms', 'broker', 'info', 'burst ' || n from generate_series(1, 1200) n order by n`,
      [deployment.id],
    );
    await page.getByText('burst 1200', { exact: true }).waitFor();

    await eventually('the oldest lines have left', async () => (await page.locator('ol li').count()) === 1000);
    expect(await page.getByText('burst begins').count()).toBe(0);
  });

  it('show numbers of the nodes over a time range of the address', async () => {
    const tab = await tabOf('viewer');
    const { page } = tab;
    await page.goto(addressOf('/metrics'));
    await page.getByRole('img', { name: /^CPU, now: node-1 [\d.]+ %$/ }).waitFor();
    await page.getByRole('link', { name: '24 hours' }).click();
    await page.getByRole('table', { name: 'Numbers within 24 hours' }).waitFor();
    expect(new URL(page.url()).search).toBe('?range=24h');
    await page.reload();
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'Memory' }) });
    await row.waitFor();
    expect(await row.getByRole('cell').allTextContents()).toEqual([
      'node-1',
      ...Array.from({ length: 3 }, () => expect.stringMatching(/^[\d.]+ [KMG]iB$/)),
    ]);
    expect(tab.faults).toEqual([]);
  });

  it('open the steps of an operation, by an address', async () => {
    const tab = await tabOf('viewer');
    const { page } = tab;
    await page.goto(addressOf('/operations'));
    const link = page.getByRole('link', { name: /provision deployment/ });
    expect(await link.getAttribute('aria-expanded')).toBe('false');
    await link.click();
    await page.getByText('waiting for nodes').waitFor();
    await page.reload();
    await page.getByText('waiting for nodes').waitFor();
    expect(await tab.accessibilityFaults()).toEqual([]);
    await link.click();
    await page.getByText('waiting for nodes').waitFor({ state: 'detached' });
    expect(tab.faults).toEqual([]);
  });

  it('add an access rule for the own address, and delete the rule after a question', async () => {
    const tab = await tabOf('admin');
    const { page } = tab;
    await page.goto(addressOf('/access'));
    await page.getByLabel('Name').fill('my desk');
    await button(page, 'Add my address').click();
    await page.getByText("landlord rules create --name 'my desk' --cidr-blocks 127.0.0.1/32").waitFor();
    await button(page, 'Add the rule').click();
    const row = page.getByRole('row').filter({ hasText: 'my desk' });
    await row.getByText('tcp, http, websocket').waitFor();

    await row.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('dialog', { name: 'Delete the access rule my desk?' });
    expect(await tab.accessibilityFaults()).toEqual([]);
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await row.getByRole('button', { name: 'Delete' }).click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
    expect(tab.faults).toEqual([]);
  });

  it('name the permission that a viewer lacks', async () => {
    const tab = await tabOf('viewer');
    const { page } = tab;
    await page.goto(addressOf('/settings'));
    const protect = button(page, 'Protect');
    await page.getByText('You need the permission deployment:manage here.').first().waitFor();
    expect(await protect.getAttribute('aria-disabled')).toBe('true');
    await protect.click({ force: true });
    await protect.press('Enter');
    await page.goto(addressOf('/access'));
    await page.getByText('You need the permission deployment:access:manage here.').first().waitFor();
    expect(await tab.accessibilityFaults()).toEqual([]);
    expect(tab.faults).toEqual([]);
    const [row] = await cloud.rows('select protected from deployments where id = $1', [deployment.id]);
    expect(row).toEqual({ protected: false });
  });

  it('rename, protect and delete with the mailed code', async () => {
    const own = await given.cloudOf(cloud, await given.tenant(cloud));
    const leaving = await TestDeployment.free(own);
    const tab = await tabOf('admin', {}, own);
    const { page } = tab;
    await page.goto(addressOf('/settings', leaving));
    await page.getByLabel('Name', { exact: true }).fill('shop "1"');
    await page.getByRole('textbox', { name: 'Description' }).fill('The <b>shop</b>');
    await button(page, 'Save').click();
    await page.getByRole('heading', { name: 'shop "1"' }).waitFor();

    await button(page, 'Protect').click();
    await button(page, 'Mail a code').click();
    const mails = new MailFolder(cloud.directory);
    const code = await eventually('a mail has the code', async () => {
      const texts = (await mails.all()).map(({ text }) => CODE.exec(text)?.[0]);
      return texts.findLast((found) => found !== undefined);
    });
    await page.getByLabel('Code from the mail').fill(code);
    await page.getByText('Type the name first.').waitFor();
    await page.getByLabel('Name of the deployment').fill('shop "1"');
    expect(await tab.accessibilityFaults()).toEqual([]);
    await button(page, 'Delete the deployment').click();
    await page.getByText('The deployment is deleted.').waitFor();
    expect(await tab.accessibilityFaults()).toEqual([]);
    await page.getByRole('link', { name: 'Go to the deployments' }).click();
    await page.getByRole('heading', { name: 'shop "1"' }).waitFor({ state: 'detached' });
    expect(tab.faults).toEqual([]);
  });

  it('stay without their Supervisor, and say that it does not answer', async () => {
    const { page } = await tabOf('admin');
    await page.goto(addressOf('/access'));
    await page.getByRole('row').filter({ hasText: 'global' }).waitFor();
    await cloud.supervisor.stop();
    await page.getByRole('alert').filter({ hasText: 'does not answer' }).waitFor();
    await page.getByRole('row').filter({ hasText: 'global' }).waitFor();
    const screens = page.getByRole('navigation', { name: 'Screens of the deployment' });
    await screens.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Protection' }).waitFor();
    const head = page.locator('h1 + span');
    await head.getByText('unknown', { exact: true }).waitFor();
    await page.getByText(/^The Supervisor of aws .* is away/).waitFor();
    await page.getByRole('link', { name: 'Deployments', exact: true }).first().click();
    const row = rowOf(page);
    await row.getByText('unknown', { exact: true }).waitFor();
    await row.getByText(/^The Supervisor of aws .* is away/).waitFor();
    expect(await row.getByText('ready', { exact: true }).count()).toBe(0);
    await row.getByRole('link').click();
    await page.getByRole('link', { name: 'Logs' }).click();
    await page.getByRole('alert').filter({ hasText: 'does not answer' }).waitFor();
    await cloud.supervisor.start();
    await button(page, 'Try again').click();
    await page.locator('ol li').first().waitFor();
    await head.getByText('ready', { exact: true }).waitFor();
  });

  it('call the same state the same in table, tile and filter, and claim no state after a failed read', async () => {
    const { page } = await tabOf('viewer');
    await page.goto(`${home()}/console/t/${cloud.installation.tenant_id}`);
    const row = rowOf(page);
    await row.getByText('ready', { exact: true }).waitFor();
    const states = await page.getByLabel('Status').getByRole('option').allTextContents();
    expect(states).toContain('ready');
    expect(states).not.toContain('initialized');
    await page.getByText(/^\d+ ready/).waitFor();

    await page.route(/\/tenants\/\d+\/deployments\?/, (route) => route.abort());
    await row.getByText('unknown', { exact: true }).waitFor({ timeout: 60_000 });
    await row.getByRole('link').click();
    const head = page.locator('h1 + span');
    await head.getByText('ready', { exact: true }).waitFor();
    await head.getByText('unknown', { exact: true }).waitFor({ timeout: 60_000 });
    await page.unroute(/\/tenants\/\d+\/deployments\?/);
    await head.getByText('ready', { exact: true }).waitFor();
  });
});
