import type { Main } from '@landlord/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { readQuery, type InputOf } from '../../api/read.js';
import { FILTERS } from '../../generated/values.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { Disclosure } from '../../ui/overlay/disclosure.js';
import { choicesOf, Filters, LONGEST } from '../../ui/list/filters.js';
import { Pages } from '../../ui/list/pages.js';
import { Table, type Column } from '../../ui/list/table.js';
import { ReadProblem } from '../../ui/read-problem.js';
import { NewRole } from './role-form.js';
import styles from './roles.module.css';
import { matrixOf, type MatrixRow } from './matrix.js';
import { Code } from '../../ui/text/code.js';
import { Problem } from '../../ui/problem.js';

const FIELDS = [
  { name: 'name', label: 'Name of the role', longest: LONGEST },
  {
    ...{ name: 'kind', label: 'Kind', none: 'All but those of single keys' },
    choices: choicesOf(FILTERS['roles.list'].kind),
  },
];

/** Which role grants which permission, and where. */
export function RolesScreen() {
  const { tenantId } = useParams({ from: '/signed-in/t/$tenantId/roles' });
  const { page = 1, ...filter } = useSearch({ from: '/signed-in/t/$tenantId/roles' });
  const roles = useQuery(readQuery(tenantId, 'roles.list', { page, results: 100, ...filter } as InputOf<'roles.list'>));
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
      <Filters fields={FIELDS} values={filter} />
      <ReadProblem of={roles} />
      {roles.isLoading && <p role="status">Loading …</p>}
      {roles.data && <Roles tenantId={tenantId} roles={roles.data.items} />}
      {roles.data && <Pages {...roles.data} />}
    </>
  );
}

/** The roles with their permissions. */
function Roles({ tenantId, roles }: { tenantId: number; roles: readonly Main.RoleView[] }) {
  if (roles.length === 0) return <p>There is no such role.</p>;
  return (
    <>
      <ul className={styles['roles']}>
        {roles.map(({ id, name }) => (
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
        columns={columnsOf(roles)}
        rows={matrixOf(roles)}
        keyOf={({ permission }) => permission}
      />
    </>
  );
}

const columnsOf = (roles: readonly Main.RoleView[]): readonly Column<MatrixRow>[] => [
  { title: 'Permission', cell: ({ permission }) => <code>{permission}</code> },
  ...roles.map(({ id, name }) => ({ title: name, cell: ({ places }: MatrixRow) => places.get(id)?.join(', ') ?? '' })),
];

/** The permissions of the person by all their roles. */
function MyPermissions({ tenantId }: { tenantId: number }) {
  const { data, error } = useQuery(readQuery(tenantId, 'members.getPermissions', {}));
  if (!data) return error ? <Problem error={error} /> : <p role="status">Loading …</p>;
  return <Code label="My permissions" text={JSON.stringify(data, null, 2)} />;
}
