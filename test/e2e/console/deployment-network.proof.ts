import { LocalOtherSide } from '@libs/cloud';
import { describeWithBrowser, eventually, TestDeployment } from '@libs/testing';
import { confirm, DeploymentStory } from './browser/deployment-story.js';
import { expectClean } from './browser/person-in-browser.js';

const TERMS = { managed_tier: 'enterprise' };
const ON_A_PHONE = { isDark: true, width: 390 };

/** Private connections of real deployments on the local cloud. The tests play the other side. */
describeWithBrowser('The screen of the network', () => {
  let story: DeploymentStory;
  let gcp: TestDeployment;
  let other: LocalOtherSide;
  beforeAll(async () => {
    story = await DeploymentStory.begin((cloud) => TestDeployment.paid(cloud, TERMS));
    gcp = await TestDeployment.paid(story.cloud, { ...TERMS, cloud: 'gcp', region: 'us-central1' });
    other = new LocalOtherSide(story.cloud.directory);
  });
  afterEach(() => story.closeTabs());
  afterAll(() => story?.end());

  const ofGcp = () => ({ deployment_id: gcp.id });
  const localName = async (kind: string, { id } = story.deployment) => {
    const found = (await other.list()).findLast((one) => one.kind === kind && one.deployment_id === id);
    return { kind: found?.kind ?? 'vpc_peering', name: found?.name ?? '' };
  };

  it('requests a peering on AWS, shows the next steps, follows the other side, and deletes the peering', async () => {
    const { tab, page } = await story.open('admin', '/network');
    await page
      .getByRole('definition')
      .filter({ hasText: /tcp \d+/ })
      .waitFor();
    const peerings = page.getByRole('region', { name: 'VPC peerings' }).first();
    await peerings.getByText('New', { exact: true }).click();
    await peerings.getByLabel('Name', { exact: true }).fill('the <data> team');
    await peerings.getByLabel('Peer VPC id').fill('vpc-0123456789abcdef0');
    await peerings.getByLabel('Account of your VPC').fill('123456789012');
    await peerings.getByLabel('Peer VPC CIDR').fill('172.20.0.0/16');
    await peerings.getByRole('button', { name: 'Create' }).click();
    const row = page.getByRole('row').filter({ hasText: 'the <data> team' });
    await row.getByText('pending acceptance').waitFor();
    const [made] = await story.cloud.landlord.vpcPeerings.list(story.place);
    expect(made).toMatchObject({ name: 'the <data> team', accepter_vpc_id: 'vpc-0123456789abcdef0' });

    await row.getByRole('link', { name: 'Show' }).click();
    await page.waitForURL(`**/network?peering=${made?.id}`);
    await page.reload();
    const steps = page.getByRole('region', { name: 'Next steps' });
    await steps
      .getByText(made?.peering_connection_id ?? 'no peering')
      .first()
      .waitFor();
    expect(await steps.getByRole('button', { name: 'Copy' }).count()).toBeGreaterThan(0);
    await expectClean(tab);
    await other.accept(await localName('vpc_peering'));
    await row.getByText('active').waitFor({ timeout: 60_000 });

    await confirm(row, 'Delete', 'Delete the <data> team?');
    await row.waitFor({ state: 'detached', timeout: 30_000 });
    expect(await story.cloud.landlord.vpcPeerings.list(story.place)).toEqual([]);
  });

  it('makes an endpoint service on AWS, shows its name to copy, and deletes the service', async () => {
    const { tab, page } = await story.open('admin', '/network', ON_A_PHONE);
    const services = page.getByRole('region', { name: 'Endpoint services (PrivateLink)' }).first();
    await services.getByText('New', { exact: true }).click();
    await services.getByLabel('Name', { exact: true }).fill('orders');
    await services.getByRole('button', { name: 'Create' }).click();
    const row = services.getByRole('row').filter({ hasText: 'orders' });
    await row.getByText('available').waitFor({ timeout: 30_000 });
    const [made] = await story.cloud.landlord.endpointServices.list(story.place);
    expect(made).toMatchObject({ name: 'orders', acceptance_required: true });
    await row.getByText(made?.service_name ?? 'no service').waitFor();
    await expectClean(tab);

    await confirm(row, 'Delete', 'Delete orders?');
    await row.waitFor({ state: 'detached', timeout: 30_000 });
    expect(await story.cloud.landlord.endpointServices.list(story.place)).toEqual([]);
  });

  it('makes a peering on Google Cloud, and shows the next steps', async () => {
    const { tab, page } = await story.open('admin', '/network', {}, gcp);
    const peerings = page.getByRole('region', { name: 'VPC network peerings' }).first();
    await peerings.getByText('New', { exact: true }).click();
    await peerings.getByLabel('Name', { exact: true }).fill('orders');
    await peerings.getByLabel('Peer VPC name').fill('default');
    await peerings.getByLabel('Peer project id').fill('their-project');
    await peerings.getByLabel('Peer VPC CIDR').fill('172.21.0.0/16');
    await peerings.getByRole('button', { name: 'Create' }).click();
    const row = peerings.getByRole('row').filter({ hasText: 'their-project' });
    await row.getByText('inactive').waitFor({ timeout: 30_000 });
    await row.getByRole('link', { name: 'Show' }).click();
    await page.getByRole('region', { name: 'Next steps' }).getByRole('button', { name: 'Copy' }).first().waitFor();
    await expectClean(tab);

    await confirm(row, 'Delete', 'Delete orders?');
    await row.waitFor({ state: 'detached', timeout: 30_000 });
    expect(await story.cloud.landlord.networkPeerings.list(ofGcp())).toEqual([]);
  });

  it('makes a service attachment on Google Cloud, and shows its connections', async () => {
    const { tab, page } = await story.open('admin', '/network', ON_A_PHONE, gcp);
    const attachments = page.getByRole('region', { name: /^Service attachments/ }).first();
    await attachments.getByText('New', { exact: true }).click();
    await attachments.getByLabel('Name', { exact: true }).fill('orders');
    await attachments.getByRole('button', { name: 'Create' }).click();
    const row = attachments.getByRole('row').filter({ hasText: 'orders' });
    await row.getByText('active').waitFor({ timeout: 30_000 });
    await row.getByRole('link', { name: 'Show' }).click();
    await page.getByText('No consumer has connected yet.').waitFor();
    await other.connect(await localName('service_attachment', gcp), { owner: 'their-project' });
    const [made] = await story.cloud.landlord.serviceAttachments.list(ofGcp());
    await eventually('the connection is known', async () => {
      const known = await story.cloud.landlord.serviceAttachments.listConnections({
        ...ofGcp(),
        attachment_id: made?.id ?? 0,
      });
      return known.length === 1;
    });
    await page.getByRole('cell', { name: 'their-project' }).waitFor({ timeout: 30_000 });
    await expectClean(tab);

    await confirm(row, 'Delete', 'Delete orders?');
    await row.waitFor({ state: 'detached', timeout: 30_000 });
    expect(await story.cloud.landlord.serviceAttachments.list(ofGcp())).toEqual([]);
  });

  it('names the permission that a viewer lacks', async () => {
    const { tab, page } = await story.open('viewer', '/network');
    const peerings = page.getByRole('region', { name: 'VPC peerings' }).first();
    await peerings.getByText('New', { exact: true }).click();
    await peerings.getByText('You need the permission deployment:network:manage here.').waitFor();
    await peerings.getByRole('button', { name: 'Create' }).click({ force: true });
    expect(await story.cloud.landlord.vpcPeerings.list(story.place)).toEqual([]);
    await expectClean(tab);
  });
});
