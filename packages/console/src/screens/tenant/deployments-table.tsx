import type { Main } from '@landlord/sdk';
import { Link } from '@tanstack/react-router';
import { Status } from '../../ui/status.js';
import { Table, type Column } from '../../ui/table.js';

interface DeploymentsTableProps {
  tenantId: number;
  deployments: readonly Main.DeploymentItemView[];
  structure: Main.StructureView;
}

export const DeploymentsTable = ({ tenantId, deployments, structure }: DeploymentsTableProps) => (
  <Table label="Deployments" columns={columnsOf(tenantId, structure)} rows={deployments} keyOf={({ id }) => id} />
);

function columnsOf(tenantId: number, { divisions }: Main.StructureView): readonly Column<Main.DeploymentItemView>[] {
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
    { title: 'Status', cell: ({ status }) => <Status of={status} /> },
    { title: 'Place', cell: ({ environment_id }) => <bdi>{places.get(environment_id) ?? ''}</bdi> },
    { title: 'Region', cell: ({ cloud, region }) => `${cloud} ${region}` },
    { title: 'Tier', cell: ({ tier }) => tier },
    { title: 'Nodes', cell: ({ nodes_count }) => nodes_count },
  ];
}
