import type { Supervisor } from '@landlord/sdk';
import { Code } from '../../../ui/text/code.js';
import { Explained } from '../../../ui/text/status.js';
import type { Column } from '../../../ui/list/table.js';
import { useLive } from '../use-deployment.js';
import { PrivateConnections } from './private-connections.js';

type Service = Supervisor.EndpointServiceView;

const REQUESTS = { create: 'endpointServices.create', delete: 'endpointServices.delete', id: 'service_id' } as const;

/** Endpoint services for PrivateLink on AWS. Interface endpoints of the customer use the name of the service. */
export const EndpointServices = () => (
  <PrivateConnections
    title="Endpoint services (PrivateLink)"
    list={useLive('endpointServices.list', {})}
    columns={COLUMNS}
    requests={REQUESTS}
    warning="Endpoints of consumers stop working."
    own={{ acceptance_required: { label: 'Accept each endpoint before it connects' } }}
    initial={{ acceptance_required: true }}
  />
);

const COLUMNS: readonly Column<Service>[] = [
  { title: 'State', cell: ({ state, state_reason }) => <Explained of={state} reason={state_reason} isWork /> },
  {
    title: 'Service name for your endpoints',
    cell: ({ service_name }) =>
      service_name === null ? 'none yet' : <Code label="Service name" text={service_name} />,
  },
  { title: 'Accounts', cell: ({ allowed_principals }) => allowed_principals.join(', ') || 'every account' },
];
