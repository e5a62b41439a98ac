import { useMutation } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { landlord } from '../../api/client.js';
import { sessionChanged } from '../../api/session.js';
import { TextField } from '../../ui/form/field.js';
import { Form } from '../../ui/form/form.js';
import { issuesOf } from '../../ui/problem.js';
import styles from './sign-in.module.css';

export function SignInScreen() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useSignIn({ email, password });
  const issues = issuesOf(signIn.error);
  const mail = { label: 'E-mail address', name: 'email', type: 'email', autoComplete: 'username' } as const;
  const secret = { label: 'Password', name: 'password', type: 'password', autoComplete: 'current-password' } as const;
  return (
    <main className={styles['main']}>
      <h1>Sign in to Landlord</h1>
      <Form action="Sign in" send={signIn}>
        <TextField {...mail} required value={email} onChange={setEmail} issue={issues['email']} />
        <TextField {...secret} required value={password} onChange={setPassword} issue={issues['password']} />
      </Form>
      <p>
        <a href="/pages/sign_up">Create an account</a> · <a href="/pages/forgot">Forgot the password?</a>
      </p>
    </main>
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
