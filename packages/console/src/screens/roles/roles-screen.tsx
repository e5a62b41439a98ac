import type { Main } from '@landlord/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { rolesQuery } from '../../api/queries/organization.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { Table, type Column } from '../../ui/table.js';
import { matrixOf, type MatrixRow } from './matrix.js';

/** Which role grants which permission, and where. */
export function RolesScreen() {
  const { tenantId } = useParams({ from: '/signed-in/t/$tenantId/roles' });
  const { data } = useSuspenseQuery(rolesQuery(tenantId));
  return (
    <>
      <TenantHead title="Roles" />
      <p>A permission reaches everything in the organization, all divisions, all environments, or single ones.</p>
      <Table
        label="Permissions of the roles"
        columns={columnsOf(data.items)}
        rows={matrixOf(data.items)}
        keyOf={({ permission }) => permission}
      />
    </>
  );
}

const columnsOf = (roles: readonly Main.RoleView[]): readonly Column<MatrixRow>[] => [
  { title: 'Permission', cell: ({ permission }) => <code>{permission}</code> },
  ...roles.map(({ id, name }) => ({ title: name, cell: ({ places }: MatrixRow) => places.get(id)?.join(', ') ?? '' })),
];
