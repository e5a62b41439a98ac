import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { landlord } from '../../api/client.js';
import { accountQuery } from '../../api/session.js';
import { useAccountChange } from '../../api/use-account-change.js';
import { Form } from '../../ui/form/form.js';

/** Sends the link that verifies the address again, to a person with a session. */
export function MailAgain() {
  const { data: account } = useQuery(accountQuery);
  // A second mail within a minute is refused. The person reads why, and does not wait for another attempt.
  const send = useAccountChange(() => landlord.account.sendVerification({}, { retries: 0 }));
  if (account?.verified)
    return (
      <p>
        The address of <bdi>{account.email}</bdi> is verified. <Link to="/">Go to the start page</Link>
      </p>
    );
  if (!account)
    return (
      <p>
        <Link to="/sign-in" search={{ next: '/verify' }}>
          Sign in to get another mail
        </Link>
      </p>
    );
  return (
    <Form action="Send the mail again" kind="plain" send={send}>
      <p>
        The address <bdi>{account.email}</bdi> is not verified yet. Open the link in the mail from Landlord.
      </p>
      {send.isSuccess && <p role="status">Landlord has sent another mail.</p>}
    </Form>
  );
}
