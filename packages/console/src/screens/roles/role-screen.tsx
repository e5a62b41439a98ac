import type { Main } from '@landlord/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { readQuery } from '../../api/read.js';
import { RequestButton } from '../../request/request-button.js';
import { RequestForm } from '../../request/request-form.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { ButtonRow } from '../../ui/button-row.js';
import { Code } from '../../ui/text/code.js';
import { Disclosure } from '../../ui/overlay/disclosure.js';
import { List } from '../../ui/list/list.js';
import { Problem } from '../../ui/problem.js';
import { Section } from '../../ui/section.js';
import type { Column } from '../../ui/list/table.js';
import { ChangeRole } from './role-form.js';

/** One role: what it grants, and to whom. Roles of Landlord itself cannot be changed. */
export function RoleScreen() {
  const { tenantId, roleId } = useParams({ from: '/signed-in/t/$tenantId/roles/$roleId' });
  const navigate = useNavigate();
  const { data: role, error } = useQuery(readQuery(tenantId, 'roles.get', { role_id: roleId }));
  return (
    <>
      <TenantHead
        above={
          <Link to="/t/$tenantId/roles" params={{ tenantId }}>
            Roles
          </Link>
        }
        title={<bdi>{role?.name ?? 'Role'}</bdi>}
      />
      {error && <Problem error={error} />}
      {role && role.kind !== 'custom' && (
        <Section title="Permissions">
          <p>Landlord makes this role. Nobody can change it.</p>
          <Code label="Permissions of the role" text={JSON.stringify(role.permissions, null, 2)} />
        </Section>
      )}
      {role?.kind === 'custom' && (
        <Section title="Permissions">
          <ChangeRole tenantId={tenantId} role={role} />
          <ButtonRow>
            <RequestButton
              tenantId={tenantId}
              request="roles.delete"
              ids={{ role_id: roleId }}
              action="Delete the role"
              question={`Delete the role ${role.name}? Its members lose the permissions at once.`}
              onDone={() => navigate({ to: '/t/$tenantId/roles', params: { tenantId } })}
            />
          </ButtonRow>
        </Section>
      )}
      {role && <Members tenantId={tenantId} role={role} />}
    </>
  );
}

/** Who has the role. */
function Members({ tenantId, role }: { tenantId: number; role: Main.RoleView }) {
  const { page = 1 } = useSearch({ from: '/signed-in/t/$tenantId/roles/$roleId' });
  const ids = { role_id: role.id };
  const members = useQuery(readQuery(tenantId, 'roles.listMembers', { ...ids, page }));
  const { data: all } = useQuery(readQuery(tenantId, 'members.list', { results: 100 }));
  const choices = (all?.items ?? [])
    .filter(({ roles, owner }) => !owner && !roles.some(({ id }) => id === role.id))
    .map(({ id, name, email }) => ({ value: String(id), label: `${name} (${email})` }));
  return (
    <Section title="Members with this role">
      <Disclosure title="Give the role to members">
        <RequestForm
          {...{ tenantId, ids }}
          request="roles.assign"
          own={{ members: { choices } }}
          action="Give the role"
        />
      </Disclosure>
      <List
        label="Members with this role"
        query={members}
        columns={columnsOf(tenantId, role)}
        keyOf={({ id }) => id}
        empty="No member has the role."
      />
    </Section>
  );
}

const columnsOf = (tenantId: number, role: Main.RoleView): readonly Column<Main.MemberView>[] => [
  { title: 'Name', cell: ({ name }) => <bdi>{name}</bdi> },
  { title: 'E-mail address', cell: ({ email }) => <bdi>{email}</bdi> },
  {
    title: 'Actions',
    cell: ({ id, name }) => (
      <RequestButton
        tenantId={tenantId}
        request="roles.revoke"
        ids={{ role_id: role.id }}
        input={{ members: [id] }}
        action="Take away"
        question={`Take the role ${role.name} from ${name}?`}
      />
    ),
  },
];
