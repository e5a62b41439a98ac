import type { Main } from '@landlord/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { landlordOf } from '../../api/client.js';
import { rolesQuery } from '../../api/queries/organization.js';
import { Code } from '../../ui/code.js';
import { SelectField, TextField } from '../../ui/form/field.js';
import { Form } from '../../ui/form/form.js';
import { issuesOf } from '../../ui/problem.js';

const DAY_MS = 86_400_000;
const DAYS = ['7', '30', '90', '365'].map((value) => ({ value, label: `${value} days` }));

/** Creates a key with an existing role. */
export function NewKey({ tenantId }: { tenantId: number }) {
  const [name, setName] = useState('');
  const [days, setDays] = useState('30');
  const [role, setRole] = useState('');
  const { data: roles } = useQuery({ ...rolesQuery(tenantId), throwOnError: false });
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: (): Promise<Main.ApiKeyWithSecretView> =>
      landlordOf(tenantId).apiKeys.create({ name, role_id: Number(role), expiry_at: inDays(Number(days)) }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['tenant', tenantId, 'keys'] }),
  });
  const issues = issuesOf(create.error);
  const choices = (roles?.items ?? []).map((one) => ({ value: String(one.id), label: one.name }));
  if (create.data) return <Secret {...create.data} />;
  return (
    <details>
      <summary>New key</summary>
      <Form action="Create the key" send={create} disabledReason={missing(name, role)}>
        <TextField label="Name" name="name" value={name} onChange={setName} issue={issues['name']} />
        <SelectField
          label="Role"
          name="role"
          value={role}
          onChange={setRole}
          issue={issues['role_id']}
          choices={[{ value: '', label: 'Choose a role' }, ...choices]}
        />
        <SelectField
          label="Valid for"
          name="days"
          value={days}
          onChange={setDays}
          issue={issues['expiry_at']}
          choices={DAYS}
        />
      </Form>
    </details>
  );
}

const Secret = ({ name, secret }: Main.ApiKeyWithSecretView) => (
  <section role="status">
    <p>
      The key <bdi>{name}</bdi> is ready. Copy its secret now: nobody can read the secret again.
    </p>
    <Code label="Secret" text={secret} />
  </section>
);

const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

function missing(name: string, role: string): string | null {
  if (name.trim() === '') return 'Give the key a name first.';
  return role === '' ? 'Choose a role first.' : null;
}
