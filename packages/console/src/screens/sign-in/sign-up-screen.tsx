import type { Main } from '@landlord/sdk';
import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { landlord } from '../../api/client.js';
import { keepNextPage } from '../../api/next-page.js';
import { TextField } from '../../ui/form/field.js';
import { Form } from '../../ui/form/form.js';
import { EMAIL } from '../../ui/form/login-fields.js';
import { NewPasswordField } from '../../ui/form/new-password-field.js';
import { issuesOf } from '../../ui/problem.js';
import { carried } from './carried.js';
import { EntryPage } from './entry-page.js';
import { Invited } from './invited.js';

export function SignUpScreen() {
  const { next, email: known = '' } = useSearch({ from: '/sign-up' });
  const [name, setName] = useState('');
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const signUp = useMutation({
    mutationFn: (): Promise<Main.SignedUpView> => landlord.account.signUp({ name, email, password }),
    onSuccess: (made) => keepNextPage(made.email, next),
  });
  const issues = issuesOf(signUp.error);
  if (signUp.data) return <SignedUp {...signUp.data} />;
  const person = { label: 'Your name', name: 'name', autoComplete: 'name' } as const;
  const secret = { label: 'Password', name: 'password', issue: issues['password'] };
  return (
    <EntryPage title="Create an account">
      <Invited next={next} />
      <p>Landlord sends a mail with a link to your address. The link opens your account.</p>
      <Form action="Create the account" send={signUp}>
        <TextField {...person} required value={name} onChange={setName} issue={issues['name']} />
        <TextField {...EMAIL} required value={email} onChange={setEmail} issue={issues['email']} />
        <NewPasswordField {...secret} value={password} onChange={setPassword} />
      </Form>
      <p>
        <Link to="/sign-in" search={carried(next, email)}>
          Sign in
        </Link>
      </p>
    </EntryPage>
  );
}

const SignedUp = ({ email, mail_folder }: Main.SignedUpView) => (
  <EntryPage title="Open the link in the mail">
    <section role="status">
      <p>
        Landlord has sent a mail to <bdi>{email}</bdi>. Open its link to verify the address.
      </p>
      {mail_folder !== null && (
        <p>
          This installation has no mail server. The mail is a file in the folder <code>{mail_folder}</code> on this
          machine.
        </p>
      )}
    </section>
    <p>
      No mail?{' '}
      <Link to="/sign-in" search={{ next: '/verify', email }}>
        Sign in to send it again
      </Link>
    </p>
  </EntryPage>
);
