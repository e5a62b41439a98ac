import { describeWithBrowser, eventually, openBrowser, readPdf, TestCloud } from '@libs/testing';
import type { Browser } from 'playwright-core';
import { charged } from '../billing/charged.js';
import { expectClean, signInMember } from './browser/person-in-browser.js';

const ACCOUNT = '123456789012';
const AWS = {
  identity_arn: `arn:aws:iam::${ACCOUNT}:role/landlord`,
  vpc_id: 'vpc-0123456789abcdef0',
  vpc_cidr: '172.20.0.0/16',
};

const dollars = (amount: string): string => Number(amount).toLocaleString('en', { style: 'currency', currency: 'USD' });

/** What costs money, or runs in an account of the organization. */
describeWithBrowser('Orders and invoices in the console', () => {
  let cloud: TestCloud;
  let browser: Browser;
  beforeAll(async () => {
    [cloud, browser] = await Promise.all([TestCloud.borrow(), openBrowser()]);
    await cloud.main().put(`${cloud.tenant}/billing/payments/method`, { provider: 'manual' });
  });
  afterAll(async () => {
    await browser?.close();
    await cloud?.stop();
  });
  const signedIn = (roles: string[], path: string, look = {}) =>
    signInMember(cloud, browser, { roles, path: `/t/${cloud.installation.tenant_id}${path}`, look });

  it('prepares, checks and orders a deployment in the stored account of the organization', async () => {
    const stored = { cloud: 'aws', name: 'Our AWS', account_id: ACCOUNT, region: 'eu-west-1' };
    const { status, body } = await cloud
      .main()
      .post(`${cloud.tenant}/cloud_accounts`, { ...stored, settings: { aws: { ...AWS, external_id: 'until-setup' } } });
    expect([status, body.code]).toEqual([201, undefined]);
    const { tab, page } = await signedIn(['admin'], '/new');
    await page.getByRole('link', { name: 'In your own cloud account' }).click();
    await page.getByRole('button', { name: 'Show what to prepare' }).click();
    await page.getByRole('region', { name: 'Permissions policy' }).waitFor();
    const trust = JSON.parse((await page.getByRole('region', { name: 'Trust policy' }).textContent()) ?? '');
    const externalId = trust.Statement[0].Condition.StringEquals['sts:ExternalId'];
    await expectClean(tab);
    await page.getByLabel('Stored account').selectOption({ label: 'Our AWS' });
    const order = page.getByRole('region', { name: '3. Order' });
    const role = order.getByLabel('ARN of the role');
    await eventually('the order has the stored role', async () => (await role.inputValue()) === AWS.identity_arn);
    await order.getByLabel('Name', { exact: true }).fill('theirs');
    await order.getByLabel('External id').fill(externalId);
    const terraform = order.getByRole('tab', { name: 'Terraform' });
    await terraform.click();
    expect(await order.getByRole('region', { name: 'Terraform' }).textContent()).toMatch(
      /^resource "landlord_byoc_deployment" "theirs" \{/,
    );
    await page.getByText('The check needs the Supervisor of a first deployment.', { exact: false }).waitFor();
    await order.getByRole('button', { name: 'Create the deployment' }).click();
    await page.getByRole('heading', { name: 'theirs', level: 1 }).waitFor();

    const { body: made } = await cloud.main().get(`${cloud.tenant}/deployments?name=theirs`);
    expect(made.items).toMatchObject([{ variant: 'byoc', tier: 'small', region: 'eu-west-1', nodes_count: 3 }]);
    await expectClean(tab);
    await tab.close();
  });

  it('shows an invoice with its charges, gives it as PDF, and shows the report of the month', async () => {
    const { division_id: division, environment_id: environment } = cloud.installation;
    await charged(cloud, { division, environment, name: 'mine', monthly: 73_000 });
    await cloud.rows(`update schedules set due_at = '-infinity' where name = 'billing_months'`);
    const invoice = await eventually('the month is invoiced', async () => {
      const { body } = await cloud.main().get(`${cloud.tenant}/billing/invoices?status=pending`);
      return body.items[0];
    });
    const { tab, page } = await signedIn(['billing'], '/invoices?status=pending', { isDark: true, width: 390 });
    await page.getByRole('link', { name: invoice.month, exact: true }).click();
    await page.getByRole('cell', { name: 'mine' }).waitFor();
    await page.getByText(dollars(invoice.total_usd)).first().waitFor();
    await expectClean(tab);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download as PDF' }).click();
    const stream = await (await download).createReadStream();
    const parts: Buffer[] = [];
    for await (const part of stream) parts.push(part as Buffer);
    const pieces = readPdf(Buffer.concat(parts)).flat();
    expect(pieces.map(({ text }) => text).join(' ')).toContain(invoice.number);

    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('button', { name: `Show ${invoice.month}` }).click();
    await page.getByRole('dialog').getByRole('cell', { name: 'mine' }).waitFor();
    await expectClean(tab);
    await tab.close();
  });

  it('filters members by their state', async () => {
    const { tab, page, email } = await signedIn(['viewer'], '/members');
    await page.getByRole('cell', { name: email }).waitFor();
    await page.getByLabel('State').selectOption('inactive');
    await page.getByRole('cell', { name: email }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('state')).toBe('inactive');
    await page.goBack();
    await page.getByRole('cell', { name: email }).waitFor();
    await expectClean(tab);
    await tab.close();
  });
});
