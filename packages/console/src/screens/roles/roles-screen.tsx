import type { Main } from '@landlord/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { rolesQuery } from '../../api/queries/organization.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { Disclosure } from '../../ui/overlay/disclosure.js';
import { Table, type Column } from '../../ui/list/table.js';
import { NewRole } from './role-form.js';
import { MyPermissions } from './my-permissions.js';
import styles from './roles.module.css';
import { matrixOf, type MatrixRow } from './matrix.js';

/** Which role grants which permission, and where. */
export function RolesScreen() {
  const { tenantId } = useParams({ from: '/signed-in/t/$tenantId/roles' });
  const { data } = useSuspenseQuery(rolesQuery(tenantId));
  const navigate = useNavigate();
  return (
    <>
      <TenantHead title="Roles" />
      <Disclosure title="New role">
        <NewRole
          tenantId={tenantId}
          onDone={({ id }) => navigate({ to: '/t/$tenantId/roles/$roleId', params: { tenantId, roleId: id } })}
        />
      </Disclosure>
      <Disclosure title="What I may do">
        <MyPermissions tenantId={tenantId} />
      </Disclosure>
      <ul className={styles['roles']}>
        {data.items.map(({ id, name }) => (
          <li key={id}>
            <Link to="/t/$tenantId/roles/$roleId" params={{ tenantId, roleId: id }}>
              <bdi>{name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
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
