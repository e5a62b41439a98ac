import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { landlord } from '../../api/client.js';
import { sessionChanged } from '../../api/session.js';
import { Button } from '../../ui/button.js';
import { Problem } from '../../ui/problem.js';
import styles from './sign-in.module.css';

/** The token is in the fragment, which no server sees. It leaves the address bar before it is used. */
function takeToken(): string {
  const token = location.hash.slice(1);
  if (token !== '') history.replaceState(history.state, '', location.pathname);
  return token;
}

/** The page of the link that `npm start` prints. */
export function WelcomeScreen() {
  const [token] = useState(takeToken);
  const navigate = useNavigate();
  const enter = useMutation({
    mutationFn: async () => {
      await landlord.sessions.signInFirst({ token });
      await sessionChanged();
    },
    onSuccess: () => navigate({ to: '/' }),
  });
  return (
    <main className={styles['main']}>
      <h1>Welcome to Landlord</h1>
      <p>This link signs you in as the owner of this installation. The link works once.</p>
      {enter.error && (
        <>
          <Problem error={enter.error} />
          <p>
            Start Landlord again for another link, or{' '}
            <Link to="/sign-in" search={{}}>
              sign in with the password
            </Link>
            .
          </p>
        </>
      )}
      <Button
        kind="primary"
        isBusy={enter.isPending}
        disabledReason={token === '' ? 'The address has no token.' : null}
        onPress={() => enter.mutate()}
      >
        Go to my cloud
      </Button>
    </main>
  );
}
