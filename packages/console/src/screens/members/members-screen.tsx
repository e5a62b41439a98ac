import type { Main } from '@landlord/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { membersQuery } from '../../api/queries/organization.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { Time } from '../../ui/time.js';
import { Pages } from '../../ui/pages.js';
import { Table, type Column } from '../../ui/table.js';

const COLUMNS: readonly Column<Main.MemberView>[] = [
  { title: 'Name', cell: ({ name }) => <bdi>{name}</bdi> },
  { title: 'E-mail address', cell: ({ email }) => <bdi>{email}</bdi> },
  { title: 'Roles', cell: ({ roles }) => <bdi>{roles.map(({ name }) => name).join(', ')}</bdi> },
  { title: 'State', cell: ({ owner, active }) => (owner ? 'owner' : active ? 'active' : 'inactive') },
  { title: 'Since', cell: ({ created_at }) => <Time at={created_at} /> },
];

/** The members of an organization with their roles. */
export function MembersScreen() {
  const { tenantId } = useParams({ from: '/signed-in/t/$tenantId/members' });
  const { page = 1 } = useSearch({ from: '/signed-in/t/$tenantId/members' });
  const { data } = useSuspenseQuery(membersQuery(tenantId, page));
  return (
    <>
      <TenantHead tenantId={tenantId} title="Members" />
      <Table label="Members" columns={COLUMNS} rows={data.items} keyOf={({ id }) => id} />
      <Pages {...data} />
    </>
  );
}
