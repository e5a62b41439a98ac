import { useSearch } from '@tanstack/react-router';
import { Tasks } from '../tasks.js';
import { ActivateConnector } from './activate-connector.js';
import { Catalogue } from './catalogue.js';
import { Instances } from './instances.js';

/** The connectors of the deployment, and those that it can have. */
export function ConnectorsScreen() {
  const search = useSearch({ from: '/signed-in/t/$tenantId/deployments/$deploymentId/connectors' });
  return (
    <>
      <Instances />
      {search.activate !== undefined && <ActivateConnector key={search.activate} connector={search.activate} />}
      <Catalogue search={search} />
      <Tasks type="connectors:reconfigure" />
    </>
  );
}
