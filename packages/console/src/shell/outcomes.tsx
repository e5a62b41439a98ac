import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { isSignedOut } from '../api/query-client.js';
import { Problem } from '../ui/problem.js';

/** For the first load of a screen only. Later loads keep what is on the screen. */
export const Waiting = () => <p role="status">Loading …</p>;

export function ErrorScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const queries = useQueryClient();
  const retry = async (): Promise<void> => {
    await queries.invalidateQueries();
    reset();
    await router.invalidate();
  };
  return (
    <section>
      <h1>{isSignedOut(error) ? 'You are signed out' : 'This page cannot be shown'}</h1>
      {isSignedOut(error) ? (
        <p>
          <a href={`/console/sign-in?next=${encodeURIComponent(router.state.location.href)}`}>Sign in again</a>
        </p>
      ) : (
        <Problem error={error} onRetry={() => void retry()} />
      )}
    </section>
  );
}

export const NotFoundScreen = () => (
  <section>
    <h1>There is no such page</h1>
    <p>
      <Link to="/">Go to the start page</Link>
    </p>
  </section>
);
