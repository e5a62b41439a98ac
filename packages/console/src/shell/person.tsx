import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { receivedInvitationsQuery } from '../api/queries/account.js';
import { accountQuery } from '../api/session.js';
import { Button } from '../ui/button.js';
import styles from './shell.module.css';
import { ThemeChoice } from './theme-choice.js';
import { useSignOut } from './use-sign-out.js';

/** The signed-in person, with the number of invitations that wait for an answer. */
export function Person() {
  const { data: account } = useQuery(accountQuery);
  const { data: invitations } = useQuery({ ...receivedInvitationsQuery, enabled: account?.verified === true });
  const signOut = useSignOut();
  const waiting = invitations?.total_results ?? 0;
  return (
    <div className={styles['person']}>
      <Link to="/account">
        <bdi>{account?.email}</bdi>
        {waiting > 0 && (
          <span className={styles['count']}>
            {waiting} {waiting === 1 ? 'invitation' : 'invitations'}
          </span>
        )}
      </Link>
      <ThemeChoice />
      <Button onPress={() => signOut.mutate()} isBusy={signOut.isPending}>
        Sign out
      </Button>
    </div>
  );
}
