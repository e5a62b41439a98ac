import type { Main } from '@landlord/sdk';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { landlord } from '../../api/client.js';
import { useAccountChange } from '../../api/use-account-change.js';
import { RepeatKey } from '../../request/repeat-key.js';
import { TextField } from '../../ui/form/field.js';
import { Form } from '../../ui/form/form.js';
import { issuesOf } from '../../ui/problem.js';

/** Creates an organization that the person owns, and opens it. */
export function NewOrganization() {
  const [name, setName] = useState('');
  const [keys] = useState(() => new RepeatKey());
  const navigate = useNavigate();
  const create = useAccountChange(
    (): Promise<Main.TenantView> => keys.send({ name }, (call) => landlord.tenants.create({ name }, call)),
    ({ id }) => navigate({ to: '/t/$tenantId', params: { tenantId: id } }),
  );
  const field = { label: 'Name of the organization', name: 'organization', autoComplete: 'organization' };
  return (
    <Form
      action="Create the organization"
      send={create}
      disabledReason={name.trim() === '' ? 'Give a name first.' : null}
    >
      <TextField {...field} value={name} onChange={setName} issue={issuesOf(create.error)['name']} />
    </Form>
  );
}
