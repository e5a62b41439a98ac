import type { Main } from '@landlord/sdk';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { landlord } from '../../api/client.js';
import { takeNextPage } from '../../api/next-page.js';
import { sessionChanged } from '../../api/session.js';
import { ButtonLink } from '../../ui/button-link.js';
import { TextField } from '../../ui/form/field.js';
import { Form } from '../../ui/form/form.js';
import { PASSWORD } from '../../ui/form/login-fields.js';
import { issuesOf } from '../../ui/problem.js';
import { EntryPage } from './entry-page.js';
import { MailAgain } from './mail-again.js';
import { useToken } from './use-token.js';

/** What the domain of the address means for the person. */
const WORKSPACES: Readonly<Record<Main.VerifiedView['workspace'], string>> = {
  own: 'Your own organization is ready.',
  claimed: 'Your own organization now has the domain of your address.',
  joined: 'You have joined the organization of your domain.',
  join_requested: 'The owner of the organization of your domain was asked to let you in.',
  awaiting_invitation: 'The organization of your domain takes in whom it invites.',
};

/**
 * The link of the verification mail opens this page. The link itself verifies nothing, because mail scanners follow
 * links. The page needs the password, because another person may have signed up with the address.
 */
export function VerifyScreen() {
  const token = useToken();
  const [password, setPassword] = useState('');
  const verify = useVerify({ token, password });
  if (verify.data) return <Verified {...verify.data} />;
  const issue = issuesOf(verify.error)['password'];
  return (
    <EntryPage title="Verify your e-mail address">
      {token !== '' && (
        <>
          <p>If you did not sign up yourself, close this page: nothing has happened.</p>
          <Form action="Verify the address" send={verify}>
            <TextField
              {...PASSWORD}
              label="Your password"
              required
              value={password}
              onChange={setPassword}
              issue={issue}
            />
          </Form>
        </>
      )}
      <MailAgain />
    </EntryPage>
  );
}

/**
 * The password that verifies the address also signs the person in, who goes on to the page that was on the way, such as an invitation.
 * Without this session, the next page asks again.
 */
function useVerify({ token, password }: Main.VerifyDto) {
  const router = useRouter();
  return useMutation({
    mutationFn: async (): Promise<Main.VerifiedView | null> => {
      const verified: Main.VerifiedView = await landlord.account.verifyEmail({ token, password });
      const next = await landlord.sessions.signIn({ email: verified.email, password }).then(
        async () => {
          await sessionChanged();
          return takeNextPage(verified.email);
        },
        () => null,
      );
      if (next === null) return verified;
      router.history.push(`${router.basepath}${next}`);
      return null;
    },
  });
}

const Verified = ({ email, workspace }: Main.VerifiedView) => (
  <EntryPage title="The address is verified">
    <p role="status">
      <bdi>{email}</bdi> is your address. {WORKSPACES[workspace]}
    </p>
    <ButtonLink to="/">Go on</ButtonLink>
  </EntryPage>
);
