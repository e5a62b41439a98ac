import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { landlord } from '../../api/client.js';
import { Form } from '../../ui/form/form.js';
import { EntryPage } from './entry-page.js';
import { NO_TOKEN, useToken } from './use-token.js';

/**
 * The link of the mail that asks for consent to notifications opens this page. The link itself confirms nothing,
 * because mail scanners follow links.
 */
export const ConfirmAddressScreen = () => (
  <TokenPage
    title="Get notifications at this address?"
    action="Send notifications to my address"
    done="From now on, you get notifications at this address."
    spend={(token) => landlord.notifications.confirmAddress({ token })}
  >
    <p>
      If you agree, the organization that the mail names sends its notifications to your address. Each of them has a
      link that ends them. If you did not expect the mail, close this page: nothing is sent.
    </p>
  </TokenPage>
);

/** The link in each notification opens this page, for readers who are not members. */
export const UnsubscribeScreen = () => (
  <TokenPage
    title="Stop these notifications?"
    action="Stop the notifications"
    done="You get no more notifications of this channel at this address."
    spend={(token) => landlord.notifications.unsubscribeAddress({ token })}
  />
);

interface TokenPageProps {
  title: string;
  children?: ReactNode;
  /** The text of the button. */
  action: string;
  /** The text after a success. */
  done: string;
  spend: (token: string) => Promise<void>;
}

/** A question to a person without an account. The token of the mail is what answers. */
function TokenPage({ title, children, action, done, spend }: TokenPageProps) {
  const token = useToken();
  const send = useMutation({ mutationFn: () => spend(token) });
  return (
    <EntryPage title={title}>
      {send.isSuccess ? (
        <p role="status">{done}</p>
      ) : (
        <Form action={action} send={send} disabledReason={token === '' ? NO_TOKEN : null}>
          {children}
        </Form>
      )}
    </EntryPage>
  );
}
