import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { accountQuery } from '../../api/session.js';
import { MailAgain } from '../sign-in/mail-again.js';
import { Memberships } from './memberships.js';
import { PasswordForm } from './password-form.js';
import { ProfileForm } from './profile-form.js';
import { ReceivedInvitations } from './received-invitations.js';
import { ReceivedTransfers } from './received-transfers.js';
import { Sessions } from './sessions.js';
import styles from './account.module.css';

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
