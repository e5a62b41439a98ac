import type { Main } from '@landlord/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { receivedInvitationsQuery } from '../../api/queries/account.js';
import { Problem } from '../../ui/problem.js';
import { Table, type Column } from '../../ui/list/table.js';
import { Time } from '../../ui/text/time.js';
import { InvitationAnswer } from './invitation-answer.js';

/** The invitations that wait for an answer of the person. */
export function ReceivedInvitations() {
  const { data, error } = useQuery(receivedInvitationsQuery);
  return (
    <section aria-labelledby="invitations">
      <h2 id="invitations">Invitations</h2>
      {error && <Problem error={error} />}
      {data?.total_results === 0 && <p>No invitation waits for you.</p>}
      {data && data.items.length > 0 && (
        <Table label="Invitations" columns={COLUMNS} rows={data.items} keyOf={({ id }) => id} />
      )}
    </section>
  );
}

const COLUMNS: readonly Column<Main.ReceivedInvitationView>[] = [
  { title: 'Organization', cell: (invitation) => <Details {...invitation} /> },
  { title: 'Invited by', cell: ({ invited_by }) => <bdi>{invited_by}</bdi> },
  { title: 'Roles', cell: ({ roles }) => <bdi>{roles.map(({ name }) => name).join(', ')}</bdi> },
  { title: 'Expires', cell: ({ expires_at }) => <Time at={expires_at} /> },
  { title: 'Answer', cell: (invitation) => <InvitationAnswer invitation={invitation} /> },
];

const Details = ({ id, tenant }: Main.ReceivedInvitationView) => (
  <Link to="/account/invitations/$invitationId" params={{ invitationId: id }}>
    <bdi>{tenant.name}</bdi>
  </Link>
);
