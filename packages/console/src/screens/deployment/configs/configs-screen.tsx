import { useSearch } from '@tanstack/react-router';
import { Tasks } from '../tasks.js';
import { Configurations } from './configurations.js';
import type { ConfigOwner } from './owner.js';

const BROKER: ConfigOwner = { group: 'configs', ids: {}, name: 'broker' };

/** The configuration of the broker. */
export function ConfigsScreen() {
  const search = useSearch({ from: '/signed-in/t/$tenantId/deployments/$deploymentId/configuration' });
  return (
    <>
      <Configurations owner={BROKER} search={search} />
      <Tasks type="broker:reconfigure" />
    </>
  );
}
