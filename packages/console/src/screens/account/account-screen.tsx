import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { accountQuery } from '../../api/session.js';
import { MailAgain } from '../sign-in/mail-again.js';
import { Memberships } from './memberships.js';
import { ReceivedInvitations } from './received-invitations.js';
import { ReceivedTransfers } from './received-transfers.js';
import styles from './account.module.css';
import { useState } from 'react';
import { landlord } from '../../api/client.js';
import { useAccountChange } from '../../api/use-account-change.js';
import { TextField } from '../../ui/form/field.js';
import { Form } from '../../ui/form/form.js';
import { issuesOf } from '../../ui/problem.js';
import { KnownEmail, PASSWORD } from '../../ui/form/login-fields.js';
import { NewPasswordField } from '../../ui/form/new-password-field.js';
import type { Main } from '@landlord/sdk';
import { sessionsQuery } from '../../api/queries/account.js';
import { ConfirmButton } from '../../ui/overlay/confirm-button.js';
import { Pages } from '../../ui/list/pages.js';
import { Table, type Column } from '../../ui/list/table.js';
import { Time } from '../../ui/text/time.js';

/** What belongs to a person, in all organizations. */
export function AccountScreen() {
  const { page = 1 } = useSearch({ from: '/signed-in/account' });
  const { data: account } = useQuery(accountQuery);
  if (!account) return null;
  return (
    <div className={styles['sections']}>
      <h1>Your account</h1>
      {account.verified ? (
        <>
          <ReceivedInvitations />
          <ReceivedTransfers />
        </>
      ) : (
        <section aria-labelledby="verification">
          <h2 id="verification">Verification</h2>
          <MailAgain />
        </section>
      )}
      <Memberships account={account} />
      <ProfileForm name={account.name} />
      <PasswordForm email={account.email} />
      <Sessions page={page} />
    </div>
  );
}

/** The name that other people see. */
function ProfileForm({ name: known }: { name: string }) {
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

/** Changes the password. Programs that keep passwords read the address, too. */
function PasswordForm({ email }: { email: string }) {
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

/** The browsers in which the person is signed in. */
function Sessions({ page }: { page: number }) {
  const { data } = useSuspenseQuery(sessionsQuery(page));
  const endOthers = useAccountChange(() => landlord.sessions.endOthers());
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      <Table label="Sessions" columns={COLUMNS} rows={data.items} keyOf={({ id }) => id} />
      <Pages {...data} />
      <ConfirmButton
        action="End all other sessions"
        question="End all sessions except this one?"
        send={endOthers}
        disabledReason={data.total_results < 2 ? 'There is no other session.' : null}
      />
    </section>
  );
}

const COLUMNS: readonly Column<Main.SessionView>[] = [
  { title: 'Browser', cell: ({ user_agent }) => <bdi>{user_agent === '' ? 'unknown' : user_agent}</bdi> },
  { title: 'Address', cell: ({ address }) => <bdi>{address}</bdi> },
  { title: 'Signed in', cell: ({ created_at }) => <Time at={created_at} /> },
  { title: 'Last seen', cell: ({ last_seen_at }) => <Time at={last_seen_at} /> },
  { title: 'Ends', cell: ({ expires_at }) => <Time at={expires_at} /> },
  { title: 'Actions', cell: ({ id, current }) => (current ? 'this session' : <End id={id} />) },
];

function End({ id }: { id: number }) {
  const end = useAccountChange(() => landlord.sessions.end({ session_id: id }));
  return <ConfirmButton action="End" question="End this session?" send={end} />;
}
