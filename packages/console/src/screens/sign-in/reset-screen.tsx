import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { landlord } from '../../api/client.js';
import { sessionChanged } from '../../api/session.js';
import { ButtonLink } from '../../ui/button-link.js';
import { Form } from '../../ui/form/form.js';
import { NewPasswordField } from '../../ui/form/new-password-field.js';
import { issuesOf } from '../../ui/problem.js';
import { EntryPage } from './entry-page.js';
import { NO_TOKEN, useToken } from './use-token.js';

/** The link of the mail for a new password opens this page. */
export function ResetScreen() {
  const token = useToken();
  const [password, setPassword] = useState('');
  const reset = useMutation({
    mutationFn: async () => {
      await landlord.passwordResets.complete({ token, password });
      await sessionChanged();
    },
  });
  const secret = { label: 'New password', name: 'password', issue: issuesOf(reset.error)['password'] };
  if (reset.isSuccess)
    return (
      <EntryPage title="The password has changed">
        <p role="status">All your sessions have ended.</p>
        <ButtonLink to="/sign-in">Sign in</ButtonLink>
      </EntryPage>
    );
  return (
    <EntryPage title="Choose a new password">
      <Form action="Set the password" send={reset} disabledReason={token === '' ? NO_TOKEN : null}>
        <NewPasswordField {...secret} value={password} onChange={setPassword} />
      </Form>
      <p>
        <Link to="/forgot">Get another link</Link> · <Link to="/sign-in">Sign in</Link>
      </p>
    </EntryPage>
  );
}
