import type { Main } from '@landlord/sdk';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { landlordOf } from '../../api/client.js';
import { membersQuery } from '../../api/queries/organization.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { Pages } from '../../ui/pages.js';
import { Table, type Column } from '../../ui/table.js';
import { Time } from '../../ui/time.js';
import { Invitations } from './invitations.js';
import { JoinRequests } from './join-requests.js';
import { OfferOwnership } from './offer-ownership.js';

/** The members of an organization with their roles, and the people who are invited. */
export function MembersScreen() {
  const { tenantId } = useParams({ from: '/signed-in/t/$tenantId/members' });
  const { page = 1 } = useSearch({ from: '/signed-in/t/$tenantId/members' });
  const { data } = useSuspenseQuery(membersQuery(tenantId, page));
  return (
    <>
      <TenantHead tenantId={tenantId} title="Members" />
      <Table label="Members" columns={columnsOf(tenantId)} rows={data.items} keyOf={({ id }) => id} />
      <Pages {...data} />
      <JoinRequests tenantId={tenantId} />
      <Invitations tenantId={tenantId} />
      <OfferOwnership tenantId={tenantId} members={data.items} />
    </>
  );
}

const columnsOf = (tenantId: number): readonly Column<Main.MemberView>[] => [
  { title: 'Name', cell: ({ name }) => <bdi>{name}</bdi> },
  { title: 'E-mail address', cell: ({ email }) => <bdi>{email}</bdi> },
  { title: 'Roles', cell: ({ roles }) => <bdi>{roles.map(({ name }) => name).join(', ')}</bdi> },
  { title: 'State', cell: ({ owner, active }) => (owner ? 'owner' : active ? 'active' : 'inactive') },
  { title: 'Since', cell: ({ created_at }) => <Time at={created_at} /> },
  { title: 'Actions', cell: (member) => <Remove tenantId={tenantId} member={member} /> },
];

function Remove({ tenantId, member: { id, name, owner } }: { tenantId: number; member: Main.MemberView }) {
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => landlordOf(tenantId).members.remove({ member_id: id }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['tenant', tenantId, 'members'] }),
  });
  return (
    <ConfirmButton
      action="Remove"
      question={`Remove ${name}? The keys of this member are deleted.`}
      send={{ mutate: () => mutate(), isPending, error }}
      disabledReason={owner ? 'The owner stays.' : null}
    />
  );
}
