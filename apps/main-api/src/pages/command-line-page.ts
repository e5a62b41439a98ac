import { html } from './html.js';
import { form, page, tenantChoice } from './page.js';
import { OTHER_WAYS, SIGNED_IN_AS, signInForm } from './sign-in-form.js';

/** The request of a command line for a key, as the link of `landlord login` has it. */
export interface CommandLineRequest {
  name: string;
  code_challenge: string;
  redirect_uri: string;
  state: string;
}

/**
 * `landlord login` opens this page. The page itself gives nothing away, because every site can link to it. The API
 * checks that the code goes to a port of this computer.
 */
export const commandLinePage = (request: CommandLineRequest): string => {
  const here = `/pages/command_line?${new URLSearchParams({ ...request }).toString()}`;
  return page(
    'Create a key for the command line?',
    html`<p>
      The command line <strong>${request.name}</strong> on this computer asks for an API key. The key has all your
      permissions in the organization, for 90 days. If you did not start <code>landlord login</code> yourself, close
      this page: nothing happens.
    </p>`,
    SIGNED_IN_AS,
    signInForm(here),
    OTHER_WAYS,
    form({
      method: 'POST',
      action: '/tenants/{tenant_id}/login_codes',
      button: 'Create the key',
      fields: [tenantChoice()],
      hidden: { ...request },
      shownTo: 'signed-in',
    }),
    form({
      method: 'DELETE',
      action: '/account/sign_out',
      button: 'Sign in as another user',
      next: here,
      shownTo: 'signed-in',
    }),
  );
};
