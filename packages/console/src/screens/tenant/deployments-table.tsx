import type { Main } from '@landlord/sdk';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { List } from '../../ui/list/list.js';
import type { Column } from '../../ui/list/table.js';
import { DeploymentStatus } from '../deployment/deployment-status.js';

interface DeploymentsTableProps {
  tenantId: number;
  query: UseQueryResult<Main.DeploymentPage>;
  structure: Main.StructureView;
}

export const DeploymentsTable = ({ tenantId, query, structure }: DeploymentsTableProps) => (
  <List
    label="Deployments"
    query={query}
    columns={columnsOf(tenantId, structure, query.isError)}
    keyOf={({ id }) => id}
    empty="No deployment fits the filter."
  />
);

function columnsOf(
  tenantId: number,
  { divisions }: Main.StructureView,
  isOld: boolean,
): readonly Column<Main.DeploymentItemView>[] {
  const places = new Map(
    divisions.flatMap((division) =>
      division.environments.map(({ id, name }) => [id, `${division.name} / ${name}`] as const),
    ),
  );
  return [
    {
      title: 'Name',
      cell: ({ id, name }) => (
        <Link to="/t/$tenantId/deployments/$deploymentId" params={{ tenantId, deploymentId: id }}>
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    {
      title: 'Status',
      cell: (deployment) => (
        <>
          <DeploymentStatus of={deployment} isOld={isOld} />
          {!deployment.supervisor_reachable && <div>{deployment.status_reason}</div>}
        </>
      ),
    },
    { title: 'Place', cell: ({ environment_id }) => <bdi>{places.get(environment_id) ?? ''}</bdi> },
    { title: 'Region', cell: ({ cloud, region }) => `${cloud} ${region}` },
    { title: 'Tier', cell: ({ tier }) => tier },
    { title: 'Nodes', cell: ({ nodes_count }) => nodes_count },
  ];
}
