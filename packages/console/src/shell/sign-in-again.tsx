import type { Main } from '@landlord/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState, useSyncExternalStore } from 'react';
import { landlord } from '../api/client.js';
import { endedSession } from '../api/ended-session.js';
import { accountQuery, sessionRenewed } from '../api/session.js';
import { Dialog } from '../ui/overlay/dialog.js';
import { TextField } from '../ui/form/field.js';
import { Form } from '../ui/form/form.js';
import { KnownEmail, PASSWORD } from '../ui/form/login-fields.js';

/** Asks for the password when the session ends. The page below stays as it is, with everything that was typed. */
export function SignInAgain() {
  const isEnded = useSyncExternalStore(endedSession.subscribe, endedSession.read);
  const { data: account } = useQuery(accountQuery);
  return isEnded && account ? <SignInDialog account={account} /> : null;
}

function SignInDialog({ account: { email } }: { account: Main.AccountView }) {
  const [password, setPassword] = useState('');
  const signIn = useRenewal({ email, password });
  return (
    <Dialog title="Your session has ended" closing="Not now" onClose={() => endedSession.set(false)}>
      <p>
        Sign in again as <bdi>{email}</bdi> to go on. What you typed on the page stays.
      </p>
      <Form action="Sign in" send={signIn}>
        <KnownEmail email={email} />
        <TextField {...PASSWORD} required autoFocus value={password} onChange={setPassword} />
      </Form>
      <p>
        {/* Loads the console again: nothing of this person stays in the tab. */}
        <a href="/console/sign-in">Use another account</a>
      </p>
    </Dialog>
  );
}

/** A session of the same person. The requests that were refused can be sent again. */
function useRenewal(login: Main.SignInDto) {
  const router = useRouter();
  return useMutation({
    mutationFn: async () => {
      await landlord.sessions.signIn(login);
      await sessionRenewed();
    },
    // A page that could not be shown is read again.
    onSuccess: () => router.invalidate(),
  });
}
