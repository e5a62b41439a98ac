import { useState } from 'react';
import { RequestForm } from '../../request/request-form.js';
import { Price } from './price.js';
import { FIRST_REGION, useOpening, useRegions, useSizes, useStorages, type OrderProps } from './use-order.js';

/** A cluster that the installation runs. The price follows each choice. */
export function ManagedOrder({ tenantId, place, cloud, search: { restore, backup } }: OrderProps) {
  const [region, setRegion] = useState(FIRST_REGION[cloud]);
  const regions = useRegions(tenantId, cloud);
  const sizes = useSizes(tenantId, cloud, region);
  const storages = useStorages(tenantId, cloud, region);
  const open = useOpening(tenantId);
  const ids = { division_id: place.division.id, environment_id: place.environment.id };
  return (
    <RequestForm
      {...{ tenantId, ids, scope: ids }}
      request="deployments.createManaged"
      fields={restore === undefined ? FIRST : [...FIRST, 'restore_from']}
      moreFields={restore === undefined ? [...MORE, 'restore_from'] : MORE}
      own={{
        region: { hint: '', choices: regions },
        tier: { label: 'Size of each node', hint: '', choices: sizes },
        managed_tier: { label: 'Terms', hint: '', isRequired: true },
        availability_mode: { label: 'Zones', hint: '', isRequired: true, choices: ZONES },
        'storage.type': { label: 'Storage', choices: storages },
        'storage.size': { label: 'Storage of each node' },
        subdomain_enabled: { none: 'As the public address' },
        protected: { label: 'Protected from deletion' },
        'restore_from.deployment_id': { label: 'Begin with a backup of the deployment' },
        'restore_from.backup_id': { label: 'Backup' },
      }}
      initial={{
        ...{ region: FIRST_REGION[cloud], tier: 'small', managed_tier: 'standard', availability_mode: 'single_az' },
        ...(restore !== undefined && { restore_from: { deployment_id: restore, backup_id: backup ?? '' } }),
      }}
      fixed={{ cloud, cluster: 'cluster' }}
      action="Create the deployment"
      onDone={open}
      onChange={({ region: chosen }) => setRegion(String(chosen))}
    >
      {(_values, order) => <Price tenantId={tenantId} place={place} order={order} />}
    </RequestForm>
  );
}

const ZONES = [
  { value: 'single_az', label: 'One zone' },
  { value: 'multi_az', label: 'Several zones' },
];
const FIRST = ['name', 'region', 'tier', 'managed_tier', 'availability_mode'];
const MORE = [
  ...['storage', 'description', 'protected', 'encrypted', 'dedicated', 'public_ip_enabled', 'subdomain_enabled'],
  ...['target_network_tput', 'network_scope', 'retention', 'spend_limit'],
];
