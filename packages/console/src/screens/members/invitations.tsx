import type { Main } from '@landlord/sdk';
import { useQuery } from '@tanstack/react-query';
import { structureQuery } from '../../api/queries.js';
import { invitationsQuery } from '../../api/queries/organization.js';
import { RequestButton } from '../../request/request-button.js';
import { RequestForm } from '../../request/request-form.js';
import { Disclosure } from '../../ui/overlay/disclosure.js';
import { List } from '../../ui/list/list.js';
import { Section } from '../../ui/section.js';
import type { Column } from '../../ui/list/table.js';
import { Time } from '../../ui/text/time.js';
import { useRoleChoices } from './role-choices.js';

/** The people who are invited, and a form for one more. */
export function Invitations({ tenantId }: { tenantId: number }) {
  const invitations = useQuery(invitationsQuery(tenantId));
  const roles = useRoleChoices(tenantId);
  const { data: structure } = useQuery(structureQuery(tenantId));
  const divisions = (structure?.divisions ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
  return (
    <Section title="Invitations">
      <Disclosure title="Invite a person">
        <RequestForm
          tenantId={tenantId}
          request="invitations.create"
          fields={['email', 'roles', 'division_id']}
          own={{
            email: { label: 'E-mail address' },
            roles: { choices: roles },
            division_id: { label: 'Only in the division', choices: divisions },
          }}
          action="Invite"
        />
      </Disclosure>
      <List
        label="Invitations"
        query={invitations}
        columns={columnsOf(tenantId)}
        keyOf={({ id }) => id}
        empty="Nobody is invited."
      />
    </Section>
  );
}

const columnsOf = (tenantId: number): readonly Column<Main.InvitationView>[] => [
  { title: 'E-mail address', cell: ({ email }) => <bdi>{email}</bdi> },
  { title: 'Roles', cell: ({ roles }) => <bdi>{roles.map(({ name }) => name).join(', ')}</bdi> },
  { title: 'Expires', cell: ({ expires_at }) => <Time at={expires_at} /> },
  {
    title: 'Actions',
    cell: ({ id, email }) => (
      <RequestButton
        tenantId={tenantId}
        request="invitations.delete"
        ids={{ invitation_id: id }}
        action="Cancel"
        question={`Cancel the invitation of ${email}?`}
      />
    ),
  },
];
