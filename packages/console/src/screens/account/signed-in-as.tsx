import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { accountQuery } from '../../api/session.js';
import { useSignOut } from '../../shell/use-sign-out.js';
import { Button } from '../../ui/button.js';

/** Who is signed in, for a reader of a link that is for another person. The other person comes back to this page. */
export function SignedInAs() {
  const { data: account } = useQuery(accountQuery);
  const { href } = useLocation();
  const signOut = useSignOut(href);
  return (
    <div>
      <p>
        You are signed in as <bdi>{account?.email}</bdi>.
      </p>
      <Button isBusy={signOut.isPending} onPress={() => signOut.mutate()}>
        Sign in as another user
      </Button>
    </div>
  );
}
