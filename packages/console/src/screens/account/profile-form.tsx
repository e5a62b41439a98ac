import { useState } from 'react';
import { landlord } from '../../api/client.js';
import { useAccountChange } from '../../api/use-account-change.js';
import { TextField } from '../../ui/form/field.js';
import { Form } from '../../ui/form/form.js';
import { issuesOf } from '../../ui/problem.js';

/** The name that other people see. */
export function ProfileForm({ name: known }: { name: string }) {
  const [name, setName] = useState(known);
  const save = useAccountChange(() => landlord.account.update({ name }));
  const issue = issuesOf(save.error)['name'];
  return (
    <section aria-labelledby="profile">
      <h2 id="profile">Profile</h2>
      <Form action="Save" send={save} disabledReason={name === known ? 'Nothing has changed.' : null}>
        <TextField label="Your name" name="name" autoComplete="name" value={name} onChange={setName} issue={issue} />
      </Form>
    </section>
  );
}
