import type { Main } from '@landlord/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { membersQuery } from '../../api/queries/organization.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { RequestButton } from '../../request/request-button.js';
import { ButtonRow } from '../../ui/button-row.js';
import { Filters, LONGEST } from '../../ui/list/filters.js';
import { Pages } from '../../ui/list/pages.js';
import { Table, type Column } from '../../ui/list/table.js';
import { Time } from '../../ui/text/time.js';
import { Invitations } from './invitations.js';
import { membersOf, STATES } from './search.js';
import { JoinRequests } from './join-requests.js';
import { useState } from 'react';
import { RequestForm } from '../../request/request-form.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlay/dialog.js';
import { useRoleChoices } from './role-choices.js';

/** The members of an organization with their roles, and the people who are invited. */
export function MembersScreen() {
  const { tenantId } = useParams({ from: '/signed-in/t/$tenantId/members' });
  const { page = 1, state, email, invitations } = useSearch({ from: '/signed-in/t/$tenantId/members' });
  const { data } = useSuspenseQuery(
    membersQuery(tenantId, page, membersOf({ ...(state && { state }), ...(email && { email }) })),
  );
  return (
    <>
      <TenantHead title="Members" />
      <Filters
        fields={[
          { name: 'email', label: 'E-mail address', longest: LONGEST },
          { name: 'state', label: 'State', choices: STATES },
        ]}
        values={{ email, state, invitations }}
      />
      <Table label="Members" columns={columnsOf(tenantId)} rows={data.items} keyOf={({ id }) => id} />
      <Pages {...data} />
      <JoinRequests tenantId={tenantId} />
      <Invitations tenantId={tenantId} />
    </>
  );
}

const columnsOf = (tenantId: number): readonly Column<Main.MemberView>[] => [
  { title: 'Name', cell: ({ name }) => <bdi>{name}</bdi> },
  { title: 'E-mail address', cell: ({ email }) => <bdi>{email}</bdi> },
  { title: 'Roles', cell: ({ roles }) => <bdi>{roles.map(({ name }) => name).join(', ')}</bdi> },
  { title: 'State', cell: ({ owner, active }) => (owner ? 'owner' : active ? 'active' : 'inactive') },
  { title: 'Since', cell: ({ created_at }) => <Time at={created_at} /> },
  { title: 'Actions', cell: (member) => <MemberActions tenantId={tenantId} member={member} /> },
];

function MemberActions({ tenantId, member }: { tenantId: number; member: Main.MemberView }) {
  const { id, name, owner } = member;
  const disabledReason = owner ? 'The owner stays.' : null;
  return (
    <ButtonRow>
      <ChangeMember tenantId={tenantId} member={member} />
      <RequestButton
        tenantId={tenantId}
        request="members.remove"
        ids={{ member_id: id }}
        action="Remove"
        question={`Remove ${name}? The keys of this member are deleted.`}
        disabledReason={disabledReason}
      />
    </ButtonRow>
  );
}

/** The roles of a member, and whether the member may come in. */
function ChangeMember({ tenantId, member }: { tenantId: number; member: Main.MemberView }) {
  const [isOpen, setOpen] = useState(false);
  const { id, name, owner, active, roles } = member;
  const choices = useRoleChoices(tenantId);
  return (
    <>
      <Button
        opens="dialog"
        disabledReason={owner ? 'The owner has every permission.' : null}
        onPress={() => setOpen(true)}
      >
        Change
      </Button>
      {isOpen && (
        <Dialog title={`Change ${name}`} onClose={() => setOpen(false)}>
          <RequestForm
            tenantId={tenantId}
            request="members.update"
            ids={{ member_id: id }}
            own={{ roles: { kind: 'numbers', choices }, active: { label: 'The member may come in', hint: '' } }}
            record={{ active, roles: roles.map((role) => role.id) }}
            action="Save the member"
            onDone={() => setOpen(false)}
          />
        </Dialog>
      )}
    </>
  );
}
