import type { Main } from '@landlord/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { landlordOf } from '../../api/client.js';
import { invitationsQuery, rolesQuery } from '../../api/queries/organization.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { SelectField, TextField } from '../../ui/form/field.js';
import { Form } from '../../ui/form/form.js';
import { issuesOf, Problem } from '../../ui/problem.js';
import { Table, type Column } from '../../ui/table.js';
import { Time } from '../../ui/time.js';

/** The people who are invited, and a form for one more. */
export function Invitations({ tenantId }: { tenantId: number }) {
  const { data, error } = useQuery(invitationsQuery(tenantId));
  return (
    <section aria-labelledby="invitations">
      <h2 id="invitations">Invitations</h2>
      {error && <Problem error={error} />}
      <NewInvitation tenantId={tenantId} />
      {data && data.items.length > 0 && (
        <Table label="Invitations" columns={columnsOf(tenantId)} rows={data.items} keyOf={({ id }) => id} />
      )}
    </section>
  );
}

const columnsOf = (tenantId: number): readonly Column<Main.InvitationView>[] => [
  { title: 'E-mail address', cell: ({ email }) => <bdi>{email}</bdi> },
  { title: 'Roles', cell: ({ roles }) => <bdi>{roles.map(({ name }) => name).join(', ')}</bdi> },
  { title: 'Expires', cell: ({ expires_at }) => <Time at={expires_at} /> },
  { title: 'Actions', cell: ({ id, email }) => <Cancel tenantId={tenantId} id={id} email={email} /> },
];

function Cancel({ tenantId, id, email }: { tenantId: number; id: number; email: string }) {
  const send = useInvitationChange(tenantId, () => landlordOf(tenantId).invitations.delete({ invitation_id: id }));
  return <ConfirmButton action="Cancel" question={`Cancel the invitation of ${email}?`} send={send} />;
}

function NewInvitation({ tenantId }: { tenantId: number }) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState('');
  const { data: roles } = useQuery({ ...rolesQuery(tenantId), throwOnError: false });
  const send = useInvitationChange(tenantId, async () => {
    await landlordOf(tenantId).invitations.create({ email, ...(role !== '' && { roles: [Number(role)] }) });
    setEmail('');
  });
  const issues = issuesOf(send.error);
  const choices = (roles?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
  const address = { label: 'E-mail address', name: 'email', type: 'email' } as const;
  return (
    <details>
      <summary>Invite a person</summary>
      <Form action="Invite" send={send} disabledReason={email.trim() === '' ? 'Type an address first.' : null}>
        <TextField {...address} value={email} onChange={setEmail} issue={issues['email']} />
        <SelectField
          label="Role"
          name="role"
          value={role}
          onChange={setRole}
          issue={issues['roles']}
          choices={[{ value: '', label: 'No role yet' }, ...choices]}
        />
      </Form>
    </details>
  );
}

function useInvitationChange(tenantId: number, change: () => Promise<unknown>) {
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: invitationsQuery(tenantId).queryKey }),
  });
  return { mutate: () => mutate(), isPending, error };
}
