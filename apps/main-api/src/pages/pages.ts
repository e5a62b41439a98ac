import { html } from './html.js';
import { field, form, page } from './page.js';
import { EMAIL, OTHER_WAYS, SIGNED_IN_AS, signInForm } from './sign-in-form.js';

const NEW_PASSWORD = {
  type: 'password',
  autocomplete: 'new-password',
  hint: 'At least 10 characters. No common password.',
} as const;
const REPEATED = { type: 'password', autocomplete: 'new-password' } as const;

/** Accepts only pages of Landlord: a link in a forged mail must not lead to another site. */
const isOurPage = (path: string): boolean => /^\/pages\/[a-z_]+(\?[\w=&%.@+-]*)?$/.test(path);

const HOME = '/pages/home';

/**
 * The link of the verification mail opens this page. The link itself does not verify the address, because mail scanners
 * follow links. The page needs the password, because another person may have signed up with the address.
 */
export const verifyPage = (token: string): string =>
  page(
    'Verify your e-mail address',
    html`<p>If you did not sign up yourself, close this page: nothing has happened.</p>`,
    form({
      method: 'POST',
      action: '/account/verify',
      button: 'Verify the address',
      done: 'The address is verified.',
      fields: [field('password', 'Your password', { type: 'password', autocomplete: 'current-password' })],
      hidden: { token },
    }),
    html`<p><a href="${HOME}">Go on</a></p>`,
  );

/**
 * The link of the mail that requests consent to notifications opens this page. The link itself does not confirm,
 * because mail scanners follow links.
 */
export const channelPage = (token: string): string =>
  page(
    'Get notifications at this address?',
    html`<p>
      If you agree, the organization that the mail names sends its notifications to your address. Each of them has a
      link that ends them. If you did not expect the mail, close this page: nothing is sent.
    </p>`,
    form({
      method: 'POST',
      action: '/notifications/confirm',
      button: 'Send notifications to my address',
      done: 'From now on, you get notifications at this address.',
      hidden: { token },
    }),
  );

/** The link in each notification opens this page, for readers who are not members. */
export const unsubscribePage = (token: string): string =>
  page(
    'Stop these notifications?',
    form({
      method: 'POST',
      action: '/notifications/unsubscribe',
      button: 'Stop the notifications',
      done: 'You get no more notifications of this channel at this address.',
      hidden: { token },
    }),
  );

/** The link of the password reset mail opens this page. */
export const resetPage = (token: string): string =>
  page(
    'Choose a new password',
    form({
      method: 'PUT',
      action: '/account/password_reset',
      button: 'Set the password',
      done: 'The password has changed. All sessions have ended.',
      fields: [field('password', 'New password', NEW_PASSWORD), field('repeated', 'Repeat the password', REPEATED)],
      hidden: { token },
    }),
    html`<p><a href="/pages/sign_in">Sign in</a></p>`,
  );

export const forgotPage = (): string =>
  page(
    'Forgot the password?',
    form({
      method: 'POST',
      action: '/account/password_reset',
      button: 'Send a link',
      done: 'If the address has an account, Landlord has sent a mail with a link.',
      fields: [field('email', 'E-mail address', EMAIL)],
    }),
  );

export const signInPage = (next: string): string =>
  page('Sign in', signInForm(isOurPage(next) ? next : HOME), SIGNED_IN_AS, OTHER_WAYS);

/** `mailFolder`: where the mail lies as a file, if the installation has no mail server. */
export const signUpPage = (email: string, mailFolder: string | null): string =>
  page(
    'Create an account',
    ...(mailFolder === null
      ? []
      : [
          html`<p>
            This installation has no mail server. The mail with the link is a file in the folder
            <code>${mailFolder}</code> on this machine.
          </p>`,
        ]),
    form({
      method: 'POST',
      action: '/account/sign_up',
      button: 'Create the account',
      done: 'Landlord has sent a mail with a link. Open the link to verify the address.',
      fields: [
        field('name', 'Your name', { autocomplete: 'name' }),
        field('email', 'E-mail address', { ...EMAIL, value: email }),
        field('password', 'Password', NEW_PASSWORD),
        field('repeated', 'Repeat the password', REPEATED),
      ],
    }),
    html`<p><a href="/pages/sign_in">Sign in</a></p>`,
  );

/** The link of an invitation opens this page. It shows the sign-in form, or the answer form to a signed-in user. */
export const invitationPage = (id: string): string => {
  const here = `/pages/invitation?id=${id}`;
  return page(
    'You are invited',
    SIGNED_IN_AS,
    html`<p data-shown-to="signed-out">Sign in with the address that the invitation was sent to.</p>`,
    signInForm(here),
    OTHER_WAYS,
    form({
      method: 'PUT',
      action: `/account/invitations/${id}/accept`,
      button: 'Accept the invitation',
      done: 'You are now a member.',
      shownTo: 'signed-in',
    }),
    form({
      method: 'PUT',
      action: `/account/invitations/${id}/reject`,
      button: 'Decline the invitation',
      done: 'The invitation is declined.',
      shownTo: 'signed-in',
    }),
  );
};

/**
 * The link of the mail that offers a tenant opens this page. It shows the sign-in form, or the answer form to a
 * signed-in user.
 */
export const ownershipTransferPage = (id: string): string => {
  const transfer = `/account/ownership_transfers/${id}`;
  return page(
    'An organization is offered to you',
    SIGNED_IN_AS,
    html`<p>Who offers which organization stands in the mail.</p>`,
    signInForm(`/pages/ownership_transfer?id=${id}`),
    form({
      method: 'PUT',
      action: `${transfer}/accept`,
      button: 'Own the organization',
      done: 'You are now the owner of the organization.',
      shownTo: 'signed-in',
    }),
    form({
      method: 'PUT',
      action: `${transfer}/reject`,
      button: 'Decline',
      done: 'The offer is declined.',
      shownTo: 'signed-in',
    }),
  );
};

/** The link of the mail to the owner opens this page. It shows the sign-in form, or the answer form to a signed-in user. */
export const joinRequestPage = (tenantId: string, id: string): string => {
  const request = `/tenants/${tenantId}/join_requests/${id}`;
  return page(
    'A request to join',
    SIGNED_IN_AS,
    html`<p>Who asks, and for which organization, stands in the mail.</p>`,
    signInForm(`/pages/join_request?tenant_id=${tenantId}&id=${id}`),
    form({
      method: 'PUT',
      action: `${request}/approve`,
      button: 'Approve the request',
      done: 'The user is now a member with the role viewer.',
      shownTo: 'signed-in',
    }),
    form({
      method: 'PUT',
      action: `${request}/reject`,
      button: 'Reject the request',
      done: 'The user gets a mail about the rejection.',
      shownTo: 'signed-in',
    }),
  );
};

export const homePage = (): string =>
  page(
    'Landlord',
    SIGNED_IN_AS,
    html`<p data-shown-to="signed-out"><a href="/pages/sign_in">Sign in</a></p>`,
    html`<p>What you can do from here stands in <a href="/docs">the description of the API</a>.</p>`,
    form({
      method: 'DELETE',
      action: '/account/sign_out',
      button: 'Sign out',
      next: '/pages/sign_in',
      shownTo: 'signed-in',
    }),
  );
