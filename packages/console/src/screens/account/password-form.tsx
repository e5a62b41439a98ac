import { useState } from 'react';
import { landlord } from '../../api/client.js';
import { useAccountChange } from '../../api/use-account-change.js';
import { TextField } from '../../ui/form/field.js';
import { Form } from '../../ui/form/form.js';
import { KnownEmail, PASSWORD } from '../../ui/form/login-fields.js';
import { NewPasswordField } from '../../ui/form/new-password-field.js';
import { issuesOf } from '../../ui/problem.js';

/** Changes the password. Programs that keep passwords read the address, too. */
export function PasswordForm({ email }: { email: string }) {
  const [password, setPassword] = useState('');
  const [next, setNext] = useState('');
  const change = useAccountChange(
    () => landlord.account.changePassword({ password, new_password: next }),
    () => {
      setPassword('');
      setNext('');
    },
  );
  const issues = issuesOf(change.error);
  const reason = password === '' || next === '' ? 'Type both passwords first.' : null;
  return (
    <section aria-labelledby="password">
      <h2 id="password">Password</h2>
      <Form action="Change the password" send={change} disabledReason={reason}>
        <KnownEmail email={email} />
        <TextField
          {...PASSWORD}
          label="Current password"
          value={password}
          onChange={setPassword}
          issue={issues['password']}
        />
        <NewPasswordField
          label="New password"
          name="new_password"
          value={next}
          onChange={setNext}
          issue={issues['new_password']}
        />
        {change.isSuccess && <p role="status">The password has changed. Your other sessions have ended.</p>}
      </Form>
    </section>
  );
}
