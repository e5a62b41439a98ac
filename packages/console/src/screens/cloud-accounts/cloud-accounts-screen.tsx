import type { Main } from '@landlord/sdk';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { readQuery, type InputOf } from '../../api/read.js';
import { RequestButton } from '../../request/request-button.js';
import { RequestForm } from '../../request/request-form.js';
import type { OwnFields } from '../../request/request-fields.js';
import { FILTERS } from '../../generated/values.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { ButtonRow } from '../../ui/button-row.js';
import { Disclosure } from '../../ui/overlay/disclosure.js';
import { Facts } from '../../ui/text/facts.js';
import { choicesOf, Filters, LONGEST, LONGEST_REGION } from '../../ui/list/filters.js';
import { Pages } from '../../ui/list/pages.js';
import { Problem } from '../../ui/problem.js';
import { Section } from '../../ui/section.js';

const FIELDS = [
  { name: 'name', label: 'Name of the account', longest: LONGEST },
  { name: 'cloud', label: 'At the cloud', choices: choicesOf(FILTERS['cloudAccounts.list'].cloud) },
  { name: 'region', label: 'In the region', longest: LONGEST_REGION },
  { name: 'status', label: 'State', choices: choicesOf(FILTERS['cloudAccounts.list'].status) },
];

/** The accounts of the organization at clouds, for deployments of its own. */
export function CloudAccountsScreen() {
  const { tenantId } = useParams({ from: '/signed-in/t/$tenantId/cloud-accounts' });
  const { page = 1, ...filter } = useSearch({ from: '/signed-in/t/$tenantId/cloud-accounts' });
  const { data, error, refetch } = useQuery(
    readQuery(tenantId, 'cloudAccounts.list', { page, ...filter } as InputOf<'cloudAccounts.list'>),
  );
  return (
    <>
      <TenantHead title="Cloud accounts" />
      <p>A deployment can run in your own account at a cloud. A stored account fills the order of such a deployment.</p>
      <Disclosure title="New cloud account">
        <RequestForm
          tenantId={tenantId}
          request="cloudAccounts.create"
          own={settingsFor(({ cloud }) => cloud)}
          action="Store the account"
        />
      </Disclosure>
      <Filters fields={FIELDS} values={filter} />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data?.items.length === 0 && <p>There is no cloud account.</p>}
      {data?.items.map((account) => (
        <Account key={account.id} tenantId={tenantId} account={account} />
      ))}
      {data && <Pages {...data} />}
    </>
  );
}

/** Each cloud has its own settings. */
const settingsFor = (cloudOf: (values: Record<string, unknown>) => unknown): OwnFields => ({
  'settings.aws.identity_arn': { label: 'ARN of the role', when: (values) => cloudOf(values) === 'aws' },
  'settings.aws.external_id': { label: 'External id', when: (values) => cloudOf(values) === 'aws' },
  'settings.aws.vpc_id': { label: 'VPC id', when: (values) => cloudOf(values) === 'aws' },
  'settings.aws.vpc_cidr': { label: 'Network of the VPC', when: (values) => cloudOf(values) === 'aws' },
  'settings.gcp.vpc_network': { label: 'VPC network', when: (values) => cloudOf(values) === 'gcp' },
  'settings.gcp.vpc_cidr': { label: 'Network of the VPC', when: (values) => cloudOf(values) === 'gcp' },
  account_id: { label: 'Account or project' },
});

function Account({ tenantId, account }: { tenantId: number; account: Main.CloudAccountItemView }) {
  const ids = { cloud_account_id: account.id };
  return (
    <Section title={<bdi>{account.name}</bdi>}>
      <Facts
        values={{
          Cloud: account.cloud,
          'Account or project': account.account_id,
          Region: account.region,
          State: account.status,
        }}
      />
      <Disclosure title={`Change ${account.name}`}>
        <ChangeAccount tenantId={tenantId} account={account} />
      </Disclosure>
      <ButtonRow>
        <RequestButton
          {...{ tenantId, ids }}
          request="cloudAccounts.delete"
          action="Delete"
          question={`Delete the cloud account ${account.name}? Deployments in the account stay.`}
        />
      </ButtonRow>
    </Section>
  );
}

/** Only a single account has its settings. */
function ChangeAccount({ tenantId, account }: { tenantId: number; account: Main.CloudAccountItemView }) {
  const ids = { cloud_account_id: account.id };
  const { data, error } = useQuery(readQuery(tenantId, 'cloudAccounts.get', ids));
  if (error) return <Problem error={error} />;
  if (!data) return <p role="status">Loading …</p>;
  return (
    <RequestForm
      {...{ tenantId, ids }}
      request="cloudAccounts.update"
      own={{ ...settingsFor(() => account.cloud), status: { none: null } }}
      record={{ ...data }}
      action={`Save ${account.name}`}
    />
  );
}
