import { describeWithBrowser, eventually, TestDeployment } from '@libs/testing';
import { confirm, DeploymentStory, LOOKS, NO_SCHEDULE } from './browser/deployment-story.js';
import { expectClean } from './browser/person-in-browser.js';

/** Backups and diagnostic snapshots of a real deployment. */
describeWithBrowser('The screens of backups and snapshots', () => {
  let story: DeploymentStory;
  beforeAll(async () => {
    story = await DeploymentStory.begin();
  });
  afterEach(() => story.closeTabs());
  afterAll(() => story?.end());

  const backups = () => story.cloud.landlord.backups.list(story.place);
  const schedule = () => story.cloud.landlord.backupSchedules.get(story.place);
  const snapshots = () => story.cloud.landlord.snapshots.list(story.place);

  it('take a backup, restore it after a question, and delete it', async () => {
    const { tab, page } = await story.open('admin', '/backups', { isDark: true, width: 390 });
    await page.getByText('There is no backup yet.').waitFor();
    await page.getByText('The deployment is not backed up by a schedule.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('before <the> sale');
    await page.getByLabel('Node', { exact: true }).selectOption('node-1');
    await page.getByLabel('Remarks').fill('for the books');
    await page.getByRole('button', { name: 'Take a backup' }).click();
    const row = page.getByRole('row').filter({ hasText: 'before <the> sale' });
    await row.getByText('completed').waitFor();
    expect(await backups()).toMatchObject([
      { name: 'before <the> sale', remarks: 'for the books', status: 'completed', node_id: expect.any(Number) },
    ]);

    await row.getByRole('button', { name: 'Restore' }).click();
    expect(await tab.accessibilityFaults()).toEqual([]);
    await page.keyboard.press('Escape');
    await confirm(row, 'Restore', 'Replace the data of the nodes with the backup before <the> sale?');
    const strip = page.getByRole('region', { name: 'Operation' });
    await strip.getByRole('link', { name: 'restore backup' }).waitFor();
    await page.reload();
    await strip.getByRole('link', { name: 'restore backup' }).waitFor();
    await strip.waitFor({ state: 'detached', timeout: 60_000 });
    const { items } = await story.cloud.landlord.operations.list({ deployment: story.deployment.id });
    expect(items[0]).toMatchObject({ type: 'restore_backup', status: 'succeeded' });

    await confirm(row, 'Delete', 'Delete the backup before <the> sale?');
    await row.waitFor({ state: 'detached' });
    expect(await backups()).toEqual([]);
    await expectClean(tab, NO_SCHEDULE);
  });

  it('order a new deployment that begins with the data of a backup', async () => {
    const { cloud, deployment } = story;
    await cloud.main().put(`${cloud.tenant}/billing/payments/method`, { provider: 'manual' });
    const writer = await deployment.connect();
    await writer.publishAsync('stock/1', 'of the backup', { qos: 1, retain: true });
    const { tab, page } = await story.open('admin', '/backups');
    await page.getByLabel('Name', { exact: true }).fill('origin');
    await page.getByRole('button', { name: 'Take a backup' }).click();
    const row = page.getByRole('row').filter({ hasText: 'origin' });
    await row.getByText('completed').waitFor();
    await writer.publishAsync('stock/1', 'after the backup', { qos: 1, retain: true });
    await writer.endAsync();
    const backup = (await backups()).find(({ name }) => name === 'origin');

    await row.getByRole('link', { name: 'New deployment from this backup' }).click();
    await page.getByRole('heading', { name: 'New deployment', level: 1 }).waitFor();
    const { id } = deployment;
    expect(await page.getByLabel('Begin with a backup of the deployment').inputValue()).toBe(String(id));
    expect(await page.getByLabel('Backup', { exact: true }).inputValue()).toBe(String(backup?.id));
    await page.getByLabel('Name', { exact: true }).fill('second');
    await expectClean(tab, NO_SCHEDULE);
    await page.getByRole('button', { name: 'Create the deployment' }).click();
    await page.getByRole('heading', { name: 'second', level: 1 }).waitFor();

    const { items } = await cloud.landlord.operations.list({ type: 'provision_deployment', results: 1 });
    const { id: operation_id = 0, deployment_id } = items[0] ?? {};
    const created = await TestDeployment.made(cloud, async (landlord) => ({
      ...{
        ...cloud.placeIds,
        deployment_id: deployment_id ?? 0,
        operation_id,
        operation: landlord.operation(operation_id),
      },
    }));
    await created.openToClients();
    const reader = await created.connect();
    const received = new Promise<string>((resolve) =>
      reader.once('message', (_topic, payload: Buffer) => resolve(payload.toString())),
    );
    await reader.subscribeAsync('stock/#', { qos: 1 });
    expect(await received).toBe('of the backup');
    await reader.endAsync();
    await expectClean(tab, NO_SCHEDULE);
  });

  it('set, change and end the schedule', async () => {
    const { tab, page } = await story.open('admin', '/backups');
    await page.getByText('Backups that stay is missing.').waitFor();
    await page.getByLabel('Times (cron)').fill('0 3 * * *');
    await page.getByLabel('Backups that stay').fill('2');
    await page.getByRole('button', { name: 'Save the schedule' }).click();
    await page.getByRole('definition').filter({ hasText: '0 3 * * *' }).waitFor();
    expect(await schedule()).toMatchObject({ cron: '0 3 * * *', every_hours: null, keep: 2, status: 'active' });

    await page.getByLabel('Times (cron)').fill('');
    await page.getByLabel('Hours from').fill('12');
    await page.getByRole('button', { name: 'Save the schedule' }).click();
    await page.getByRole('definition').filter({ hasText: 'every 12 hours' }).waitFor();
    expect(await schedule()).toMatchObject({ cron: null, every_hours: 12, keep: 2 });
    await expectClean(tab, NO_SCHEDULE);

    await confirm(page, 'End the schedule', 'End the schedule?');
    await page.getByText('The deployment is not backed up by a schedule.').waitFor();
    await expect(schedule()).rejects.toMatchObject({ status: 404 });
  });

  it('take a snapshot, make a link to its archive on request, and delete the snapshot', async () => {
    const { tab, page } = await story.open('admin', '/snapshots');
    await page.getByText('There is no snapshot.').waitFor();
    expect(await page.getByLabel('Mask secrets').isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Take a snapshot' }).click();
    const row = page.getByRole('row').filter({ hasText: 'completed' });
    await row.waitFor({ timeout: 60_000 });
    expect(await page.getByRole('link', { name: 'Download' }).count()).toBe(0);
    await row.getByRole('button', { name: 'Make a link' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    const archive = await downloading;
    expect(archive.suggestedFilename()).toMatch(/\.(zip|tar\.gz)$/);
    await expectClean(tab);

    await page.getByLabel('Node').selectOption('node-1');
    await page.waitForURL('**/snapshots?node=*');
    await page.reload();
    await row.waitFor();
    await page.goto(`${page.url()}99999`);
    await page.getByText('There is no snapshot.').waitFor();
    await page.goBack();
    await confirm(row, 'Delete', 'Delete the snapshot');
    await page.getByText('There is no snapshot.').waitFor();
    await eventually('the snapshot is deleted', async () => (await snapshots()).total_results === 0);
    await expectClean(tab);
  });

  it.each(LOOKS)('name the permission that a viewer lacks: %s', async (_, look) => {
    await story.cloud.landlord.backups.create({ ...story.place, name: 'of a viewer' });
    const { tab, page } = await story.open('viewer', '/backups', look);
    await page.getByText('You need the permission deployment:manage here.').first().waitFor();
    await page.getByRole('row').filter({ hasText: 'of a viewer' }).first().waitFor();
    for (const name of ['Take a backup', 'Restore', 'Delete', 'Save the schedule'])
      await page.getByRole('button', { name }).first().click({ force: true });
    expect(await page.getByRole('dialog').count()).toBe(0);
    await expectClean(tab, NO_SCHEDULE);
    await page.getByRole('link', { name: 'Snapshots' }).click();
    await page.getByRole('button', { name: 'Take a snapshot' }).click({ force: true });
    expect((await snapshots()).total_results).toBe(0);
    await expectClean(tab, NO_SCHEDULE);
  });
});
