import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { receivedInvitationsQuery } from '../api/queries/account.js';
import { accountQuery } from '../api/session.js';
import { Button } from '../ui/button.js';
import styles from './shell.module.css';
import { useSignOut } from './use-sign-out.js';
import { useState } from 'react';

/** The signed-in person, with the number of invitations that wait for an answer. */
export function Person() {
  const { data: account } = useQuery(accountQuery);
  const { data: invitations } = useQuery({ ...receivedInvitationsQuery, enabled: account?.verified === true });
  const signOut = useSignOut();
  const waiting = invitations?.total_results ?? 0;
  return (
    <div className={styles['person']}>
      <a href="/guides/">Guides</a>
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

const KEY = 'landlord.theme';
const THEMES = ['system', 'light', 'dark'];

/** The colours of the console, for this browser. */
function ThemeChoice() {
  const [theme, setTheme] = useState(localStorage.getItem(KEY) ?? 'system');
  const choose = (next: string): void => {
    localStorage.setItem(KEY, next);
    document.documentElement.dataset['theme'] = next;
    setTheme(next);
  };
  return (
    <select aria-label="Colours" value={theme} onChange={(event) => choose(event.target.value)}>
      {THEMES.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  );
}
