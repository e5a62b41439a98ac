import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readQuery } from '../../api/read.js';
import { RequestForm } from '../../request/request-form.js';
import type { OwnFields } from '../../request/request-fields.js';
import type { Input } from '../../request/shape.js';
import { Filters } from '../../ui/list/filters.js';
import { Section } from '../../ui/section.js';
import { ByocCheck } from './byoc-check.js';
import { ByocSetup } from './byoc-setup.js';
import type { Cloud } from './search.js';
import { FIRST_REGION, useOpening, useRegions, useSizes, useStorages, type OrderProps } from './use-order.js';

/** A cluster in an account of the organization: prepare the account, check it, order. */
export function ByocOrder(props: OrderProps) {
  const { tenantId, place, cloud, search } = props;
  const account = useAccount(props);
  const [region, setRegion] = useState(FIRST_REGION[cloud]);
  const ids = { division_id: place.division.id, environment_id: place.environment.id };
  const fields = useFields(tenantId, cloud, region);
  const open = useOpening(tenantId);
  return (
    <>
      <Filters
        fields={[{ name: 'account', label: 'Stored account', none: 'None', choices: account.choices }]}
        values={{ ...search }}
      />
      <Section title="1. Prepare the account">
        <ByocSetup {...{ tenantId, ids, cloud }} />
      </Section>
      <Section title="2. Check the account">
        <ByocCheck key={account.id} {...{ tenantId, ids, cloud, initial: account.initial }} />
      </Section>
      <Section title="3. Order">
        <RequestForm
          key={account.id}
          {...{ tenantId, ids, scope: ids }}
          request="deployments.createByoc"
          fields={['name', 'region', 'tier', cloud]}
          moreFields={['storage']}
          own={fields}
          initial={{ region: account.region ?? FIRST_REGION[cloud], tier: 'small', [cloud]: account.initial }}
          fixed={{ cloud, cluster: 'cluster' }}
          action="Create the deployment"
          onDone={open}
          onChange={({ region: chosen }) => setRegion(String(chosen))}
        />
      </Section>
    </>
  );
}

/** The names of the fields, and their choices. */
function useFields(tenantId: number, cloud: Cloud, region: string): OwnFields {
  return {
    region: { hint: '', choices: useRegions(tenantId, cloud) },
    tier: { label: 'Size of each node', hint: '', choices: useSizes(tenantId, cloud, region) },
    'storage.type': { label: 'Storage', choices: useStorages(tenantId, cloud, region) },
    'storage.size': { label: 'Storage of each node' },
    'aws.account_id': { label: 'AWS account', isRequired: true },
    'aws.identity_arn': { label: 'ARN of the role', isRequired: true },
    'aws.external_id': { label: 'External id', isRequired: true },
    'aws.vpc_id': { label: 'VPC id', isRequired: true },
    'gcp.project_id': { label: 'Project', isRequired: true },
    'gcp.service_account_email': { label: 'Address of the service account', isRequired: true },
    'gcp.vpc_name': { label: 'VPC network', isRequired: true },
  };
}

/** The stored accounts at the cloud, and what the chosen one fills in. */
function useAccount({ tenantId, cloud, search: { account: id } }: OrderProps) {
  const { data: accounts } = useQuery(readQuery(tenantId, 'cloudAccounts.list', { cloud, results: 100 }));
  const { data: account } = useQuery({
    ...readQuery(tenantId, 'cloudAccounts.get', { cloud_account_id: Number(id) }),
    enabled: id !== undefined,
  });
  const choices = (accounts?.items ?? []).map((one) => ({ value: String(one.id), label: one.name }));
  if (id === undefined || account?.cloud !== cloud) return { choices, id: undefined, region: null, initial: {} };
  const { account_id, region, settings } = account;
  const initial: Input =
    cloud === 'aws'
      ? { account_id, ...settings?.aws }
      : { project_id: account_id, vpc_name: settings?.gcp?.vpc_network };
  return { choices, id, region, initial };
}
