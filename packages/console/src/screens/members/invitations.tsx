import type { Main } from '@landlord/sdk';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { structureQuery } from '../../api/queries.js';
import { readQuery } from '../../api/read.js';
import { RequestButton } from '../../request/request-button.js';
import { RequestForm } from '../../request/request-form.js';
import { Disclosure } from '../../ui/overlay/disclosure.js';
import { choicesOf, Filters } from '../../ui/list/filters.js';
import { List } from '../../ui/list/list.js';
import { Section } from '../../ui/section.js';
import type { Column } from '../../ui/list/table.js';
import { Time } from '../../ui/text/time.js';
import { useRoleChoices } from './role-choices.js';
import { FIRST_INVITATIONS, INVITATIONS, statusOf } from './search.js';

const FIELDS = [{ name: 'invitations', label: 'Which invitations', choices: choicesOf(INVITATIONS), isRequired: true }];

/** The people who are or were invited, and a form for one more. */
export function Invitations({ tenantId }: { tenantId: number }) {
  const search = useSearch({ from: '/signed-in/t/$tenantId/members' });
  const { invitations: shown = FIRST_INVITATIONS } = search;
  const invitations = useQuery({
    ...readQuery(tenantId, 'invitations.list', { ...statusOf(shown), results: 100 }),
    // The page in the address is the page of the members.
    select: ({ items }) => items,
  });
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
            division_id: { label: 'Only in the division', none: 'No restriction', choices: divisions },
          }}
          action="Invite"
        />
      </Disclosure>
      <Filters fields={FIELDS} values={{ ...search, invitations: shown }} />
      <List
        label="Invitations"
        query={invitations}
        columns={columnsOf(tenantId)}
        keyOf={({ id }) => id}
        empty={shown === FIRST_INVITATIONS ? 'There is no open invitation.' : 'There is no such invitation.'}
      />
    </Section>
  );
}

const columnsOf = (tenantId: number): readonly Column<Main.InvitationView>[] => [
  { title: 'E-mail address', cell: ({ email }) => <bdi>{email}</bdi> },
  { title: 'Roles', cell: ({ roles }) => <bdi>{roles.map(({ name }) => name).join(', ')}</bdi> },
  { title: 'State', cell: ({ status }) => status },
  { title: 'Expires', cell: ({ expires_at }) => <Time at={expires_at} /> },
  {
    title: 'Actions',
    cell: ({ id, email, status }) => (
      <RequestButton
        tenantId={tenantId}
        request="invitations.delete"
        ids={{ invitation_id: id }}
        action="Cancel"
        question={`Cancel the invitation of ${email}?`}
        disabledReason={status === 'pending' ? null : `The invitation is ${status}.`}
      />
    ),
  },
];
