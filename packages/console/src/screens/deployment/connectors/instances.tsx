import type { Supervisor } from '@landlord/sdk';
import { Link } from '@tanstack/react-router';
import { Explained } from '../../../ui/text/status.js';
import type { Column } from '../../../ui/list/table.js';
import { DeploymentButton } from '../deployment-request.js';
import { List } from '../../../ui/list/list.js';
import { Section } from '../../../ui/section.js';
import { useDeployment, useLive } from '../use-deployment.js';

export type Instance = Supervisor.ConnectorInstanceView;

const COLUMNS: readonly Column<Instance>[] = [
  { title: 'Name', cell: (instance) => <InstanceLink {...instance} /> },
  { title: 'Connector', cell: ({ connector_type, connector_key }) => `${connector_type} ${connector_key}` },
  { title: 'Status', cell: (instance) => <InstanceStatus {...instance} /> },
  { title: 'Moved', cell: ({ metrics }) => metrics?.moved ?? 'not known' },
  { title: 'Failed', cell: ({ metrics }) => metrics?.failed ?? 'not known' },
  {
    title: 'Delete',
    cell: ({ id, name }) => (
      <DeploymentButton
        request="connectors.delete"
        ids={{ connector_instance_id: id }}
        action="Delete"
        question={`Delete the connector ${name} and its configurations?`}
      />
    ),
  },
];

/** The activated connectors. */
export function Instances() {
  const list = useLive('connectors.list', {});
  return (
    <Section title="Connectors">
      <List
        label="Connectors"
        query={list}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="No connector is activated. Activate one of those below."
      />
    </Section>
  );
}

function InstanceLink({ id, name }: Instance) {
  const { tenantId, deploymentId } = useDeployment();
  return (
    <Link
      to="/t/$tenantId/deployments/$deploymentId/connectors/$instanceId"
      params={{ tenantId, deploymentId, instanceId: id }}
    >
      <bdi>{name}</bdi>
    </Link>
  );
}

export const InstanceStatus = ({ status, status_reason, metrics }: Instance) => (
  <>
    <Explained of={status} reason={status_reason} />
    {metrics?.last_error != null && <div>{metrics.last_error}</div>}
  </>
);
