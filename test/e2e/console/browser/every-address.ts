import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, given, type TestCloud, type TestDeployment } from '@libs/testing';
import { ODD_NAME } from './person-in-browser.js';

const IN_A_DAY = new Date(Date.now() + 86_400_000).toISOString();
const ROUTES = join(import.meta.dirname, '../../../../packages/console/src/routes');
const T = '/t/$tenantId';
const D = `${T}/deployments/$deploymentId`;

/** The addresses of pages that a person without a session opens, with their titles. */
export const ENTRIES: Readonly<Record<string, string>> = {
  '/sign-in': 'Sign in',
  '/sign-up': 'Sign up',
  '/verify': 'Verify your address',
  '/forgot': 'Forgotten password',
  '/reset': 'New password',
  '/confirm-address': 'Consent to notifications',
  '/unsubscribe': 'Unsubscribe',
  '/welcome': 'Welcome',
};

/** The addresses of pages of a signed-in person, with their titles. */
export const PAGES: Readonly<Record<string, string>> = {
  '/account': 'Your account',
  '/account/invitations/$invitationId': 'Invitation',
  '/account/ownership-transfers/$transferId': 'Offered organization',
  '/command-line': 'Key for the command line',
  [T]: 'Deployments',
  [`${T}/divisions`]: 'Divisions',
  [`${T}/divisions/$divisionId`]: 'Division',
  [`${T}/cloud-accounts`]: 'Cloud accounts',
  [`${T}/members`]: 'Members',
  [`${T}/join-requests/$joinRequestId`]: 'Request to join',
  [`${T}/roles`]: 'Roles',
  [`${T}/roles/$roleId`]: 'Role',
  [`${T}/keys`]: 'API keys',
  [`${T}/keys/$keyId`]: 'API key',
  [`${T}/channels`]: 'Channels',
  [`${T}/channels/$channelId`]: 'Channel',
  [`${T}/audit`]: 'Audit',
  [`${T}/plan`]: 'Plan',
  [`${T}/usage`]: 'Usage',
  [`${T}/invoices`]: 'Invoices',
  [`${T}/invoices/$invoiceId`]: 'Invoice',
  [`${T}/billing`]: 'Payment',
  [`${T}/settings`]: 'Settings',
  [`${T}/new`]: 'New deployment',
  [D]: 'Overview',
  [`${D}/nodes`]: 'Nodes',
  [`${D}/logs`]: 'Logs',
  [`${D}/metrics`]: 'Metrics',
  [`${D}/operations`]: 'Operations',
  [`${D}/activities`]: 'Activities',
  [`${D}/configuration`]: 'Configuration',
  [`${D}/connectors`]: 'Connectors',
  [`${D}/connectors/$instanceId`]: 'Connector',
  [`${D}/backups`]: 'Backups',
  [`${D}/snapshots`]: 'Snapshots',
  [`${D}/access`]: 'Access',
  [`${D}/network`]: 'Network',
  [`${D}/security`]: 'Security',
  [`${D}/upgrade`]: 'Upgrade',
  [`${D}/settings`]: 'Settings',
};

/** The addresses in the sources of the console. The start page leads to an organization, when there is one. */
export function addressesOfSources(): string[] {
  const files = readdirSync(ROUTES).filter((name) => !name.endsWith('.spec.ts'));
  const sources = files.map((name) => readFileSync(join(ROUTES, name), 'utf8')).join('\n');
  const found = [...sources.matchAll(/getParentRoute: \(\) => (\w+),\s+path: '([^']+)'/g)];
  return found.map(([, parent, path = '']) =>
    parent === 'deploymentRoute' ? `${D}${path === '/' ? '' : path}` : path,
  );
}

/** How many addresses the sources define, in whatever form. */
export function countOfSources(): number {
  const files = readdirSync(ROUTES).filter((name) => !name.endsWith('.spec.ts'));
  return files.flatMap((name) => readFileSync(join(ROUTES, name), 'utf8').match(/\bpath:/g) ?? []).length;
}

/** The address with the ids. */
export const addressOf = (pattern: string, ids: Readonly<Record<string, number>>): string =>
  pattern.replaceAll(/\$(\w+)/g, (_, name: string) => String(ids[name]));

/** An invitation and an offered organization, for the user who was created last. */
export async function givenOffers(cloud: TestCloud) {
  const [member] = await cloud.rows<{ id: number; email: string }>(
    'select id::int as id, email from users order by id desc limit 1',
  );
  const other = await given.cloudOf(cloud, await given.tenant(cloud));
  const invitation = await other.landlord.invitations.create({ email: member?.email ?? '' });
  const [transfer] = await cloud.rows<{ id: number }>(
    `insert into ownership_transfers (tenant_id, from_user_id, to_user_id, expires_at)
     select id, owner_id, $2, now() + interval '1 day' from tenants where id = $1 returning id::int as id`,
    [other.installation.tenant_id, member?.id],
  );
  return { invitationId: invitation.id, transferId: transfer?.id ?? 0 };
}

/** One of each thing that has a page, with odd names. */
export async function givenThings(deployment: TestDeployment) {
  const { cloud, id: deploymentId } = deployment;
  const { landlord } = cloud;
  const { tenant_id: tenantId, division_id: divisionId } = cloud.installation;
  const asking = await given.user(cloud, { email: `asks-${Date.now()}@people.example`, name: ODD_NAME });
  const role = await landlord.roles.create({ name: ODD_NAME, permissions: { tenant: ['member:manage'] } });
  const key = await landlord.apiKeys.create({ name: ODD_NAME, role_id: role.id, expiry_at: IN_A_DAY });
  const channel = await landlord.channels.create({
    channel: 'slack',
    name: ODD_NAME,
    destination: 'https://hooks.example/',
  });
  const connector = await landlord.connectors.activate({
    ...{ ...cloud.placeIds, deployment_id: deploymentId },
    ...{ connector_key: 'http', connector_type: 'sink', instance_name: ODD_NAME, instance_key: 'hook' },
  });
  return {
    ...{ tenantId, divisionId, deploymentId },
    ...{ joinRequestId: await given.joinRequest(cloud, asking.id), roleId: role.id, keyId: key.id },
    ...{ channelId: channel.id, invoiceId: await givenInvoice(deployment), instanceId: connector.id },
  };
}

/** Rows that have buttons with questions, beside the things that have pages. */
export async function givenRows(deployment: TestDeployment, { channelId }: { channelId: number }): Promise<void> {
  const { landlord } = deployment.cloud;
  const of = { deployment_id: deployment.id };
  await deployment.permit();
  await landlord.invitations.create({ email: `row-${Date.now()}@people.example` });
  await landlord.cloudAccounts.create({ cloud: 'aws', name: ODD_NAME, account_id: '123456789012' });
  await landlord.subscriptions.create({ channel_id: channelId, message_types: ['division_created'] });
  await landlord.channels.test({ channel_id: channelId });
  const { backup_id } = await landlord.backups.create({ ...of, name: ODD_NAME });
  await landlord.snapshots.create(of);
  await eventually('the backup and the snapshot are complete', async () => {
    const states = [
      ...(await landlord.backups.list(of)).filter(({ id }) => id === backup_id),
      ...(await landlord.snapshots.list(of)).items,
    ].map(({ status }) => status);
    return states.length === 2 && states.every((status) => status === 'completed');
  });
}

/** An invoice of one line. */
async function givenInvoice({ cloud }: TestDeployment): Promise<number> {
  const { tenant_id, division_id, environment_id } = cloud.installation;
  const [row] = await cloud.rows<{ id: number }>(
    `with report as (
       insert into billing_reports (tenant_id, month, is_final) values ($1, '2026-01-01', true) returning id, month
     ), line as (
       insert into billing_report_lines
       select id, 1, $5, 'aaaaaaaa', $2, 'Default', $3, 'sandbox', 730, 73000, 0, 1, 1, 0, '[]' from report
     )
     insert into invoices (report_id, tenant_id, month, status, number, bill_to, issued_at, due_at)
     select id, $1, month, 'pending', 'every page', $4, now(), now() from report returning id::int as id`,
    [tenant_id, division_id, environment_id, JSON.stringify({ tenant: ODD_NAME, ...BILL_TO }), ODD_NAME],
  );
  return row?.id ?? 0;
}

const BILL_TO = { company: null, email: null, address: null, tax_id: null, purchase_order: null };
