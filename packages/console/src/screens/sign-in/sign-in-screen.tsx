import { useMutation } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { landlord } from '../../api/client.js';
import { sessionChanged } from '../../api/session.js';
import { TextField } from '../../ui/form/field.js';
import { Form } from '../../ui/form/form.js';
import { EMAIL, PASSWORD } from '../../ui/form/login-fields.js';
import { issuesOf } from '../../ui/problem.js';
import { EntryPage } from './entry-page.js';

export function SignInScreen() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useSignIn({ email, password });
  const issues = issuesOf(signIn.error);
  return (
    <EntryPage title="Sign in to Landlord">
      <Form action="Sign in" send={signIn}>
        <TextField {...EMAIL} required value={email} onChange={setEmail} issue={issues['email']} />
        <TextField {...PASSWORD} required value={password} onChange={setPassword} issue={issues['password']} />
      </Form>
      <p>
        <Link to="/sign-up">Create an account</Link> · <Link to="/forgot">Forgot the password?</Link>
      </p>
    </EntryPage>
  );
}

/** Signs in, and goes on to the page that needed a session. */
function useSignIn(login: { email: string; password: string }) {
  const { next } = useSearch({ from: '/sign-in' });
  const router = useRouter();
  return useMutation({
    mutationFn: async () => {
      await landlord.sessions.signIn(login);
      await sessionChanged();
    },
    onSuccess: () => router.history.push(`${router.basepath}${next ?? '/'}`),
  });
}
