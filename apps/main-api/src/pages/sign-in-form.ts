import { html, type Html } from './html.js';
import { field, form } from './page.js';

export const EMAIL = { type: 'email', autocomplete: 'username' } as const;

export const SIGNED_IN_AS = html`<p data-shown-to="signed-in">Signed in as <strong data-account="email"></strong>.</p>`;

/** Signs a person in, and opens the page `next`. Shown only to people who are not signed in. */
export const signInForm = (next: string): Html =>
  form({
    method: 'POST',
    action: '/account/sign_in',
    button: 'Sign in',
    next,
    fields: [
      field('email', 'E-mail address', EMAIL),
      field('password', 'Password', { type: 'password', autocomplete: 'current-password' }),
    ],
    shownTo: 'signed-out',
  });

export const OTHER_WAYS = html`<p data-shown-to="signed-out">
  <a href="/pages/sign_up">Create an account</a> · <a href="/pages/forgot">Forgot the password?</a>
</p>`;
