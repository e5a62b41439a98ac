import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { landlord } from '../../api/client.js';
import { sessionChanged } from '../../api/session.js';
import { Button } from '../../ui/button.js';
import { Problem } from '../../ui/problem.js';
import { EntryPage } from './entry-page.js';
import { NO_TOKEN, useToken } from './use-token.js';

/** The page of the link that `npm start` prints. */
export function WelcomeScreen() {
  const token = useToken();
  const navigate = useNavigate();
  const enter = useMutation({
    mutationFn: async () => {
      await landlord.sessions.signInFirst({ token });
      await sessionChanged();
    },
    onSuccess: () => navigate({ to: '/' }),
  });
  return (
    <EntryPage title="Welcome to Landlord">
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
        disabledReason={token === '' ? NO_TOKEN : null}
        onPress={() => enter.mutate()}
      >
        Go to my cloud
      </Button>
    </EntryPage>
  );
}
