import { useMutation } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { landlord } from '../../api/client.js';
import { sessionChanged } from '../../api/session.js';
import { TextField } from '../../ui/form/field.js';
import { Form } from '../../ui/form/form.js';
import { EMAIL, PASSWORD } from '../../ui/form/login-fields.js';
import { issuesOf } from '../../ui/problem.js';
import { carried } from './carried.js';
import { EntryPage } from './entry-page.js';
import { Invited } from './invited.js';

export function SignInScreen() {
  const { next, email: known = '' } = useSearch({ from: '/sign-in' });
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const signIn = useSignIn({ email, password }, next);
  const issues = issuesOf(signIn.error);
  return (
    <EntryPage title="Sign in to Landlord">
      <Invited next={next} />
      <Form action="Sign in" send={signIn}>
        <TextField {...EMAIL} required value={email} onChange={setEmail} issue={issues['email']} />
        <TextField {...PASSWORD} required value={password} onChange={setPassword} issue={issues['password']} />
      </Form>
      <p>
        <Link to="/sign-up" search={carried(next, email)}>
          Create an account
        </Link>{' '}
        · <Link to="/forgot">Forgot the password?</Link>
      </p>
    </EntryPage>
  );
}

/** Signs in, and goes on to the page that needed a session. */
function useSignIn(login: { email: string; password: string }, next = '/') {
  const router = useRouter();
  return useMutation({
    mutationFn: async () => {
      await landlord.sessions.signIn(login);
      await sessionChanged();
    },
    onSuccess: () => router.history.push(`${router.basepath}${next}`),
  });
}
