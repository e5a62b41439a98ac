import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { landlord } from '../../api/client.js';
import { TextField } from '../../ui/form/field.js';
import { Form } from '../../ui/form/form.js';
import { EMAIL } from '../../ui/form/login-fields.js';
import { issuesOf } from '../../ui/problem.js';
import { EntryPage } from './entry-page.js';

/** Asks for a link that lets the person choose a new password. The answer does not say whether the address has an account. */
export function ForgotScreen() {
  const [email, setEmail] = useState('');
  const ask = useMutation({ mutationFn: () => landlord.passwordResets.request({ email }) });
  const issue = issuesOf(ask.error)['email'];
  return (
    <EntryPage title="Forgot the password?">
      <Form action="Send a link" send={ask}>
        <TextField {...EMAIL} required value={email} onChange={setEmail} issue={issue} />
        {ask.isSuccess && <p role="status">If the address has an account, Landlord has sent a mail with a link.</p>}
      </Form>
      <p>
        <Link to="/sign-in">Sign in</Link>
      </p>
    </EntryPage>
  );
}
