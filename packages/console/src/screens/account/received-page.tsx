import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { accountQuery } from '../../api/session.js';
import { Problem } from '../../ui/problem.js';
import styles from './account.module.css';
import { SignedInAs } from './signed-in-as.js';

interface ReceivedPageProps {
  title: string;
  /** Why there is nothing to answer, such as a mail to another address. */
  error: Error | null;
  children: ReactNode;
}

/** A question to the reader of a mail, who can be signed in with another address. */
export function ReceivedPage({ title, error, children }: ReceivedPageProps) {
  const { data: account } = useQuery(accountQuery);
  return (
    <div className={styles['sections']}>
      <h1>{title}</h1>
      <div>
        {error && <Problem error={error} />}
        {account?.verified === false && (
          <p>
            <Link to="/verify">Verify your address first</Link>
          </p>
        )}
        {children}
      </div>
      <SignedInAs />
    </div>
  );
}
