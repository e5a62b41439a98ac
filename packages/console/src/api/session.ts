import type { Main } from '@landlord/sdk';
import { queryOptions } from '@tanstack/react-query';
import { landlord } from './client.js';
import { keepCsrfToken } from './csrf.js';
import { forgetDrafts } from './drafts.js';
import { forgetEtags } from './etags.js';
import { endedSession } from './ended-session.js';
import { ACCOUNT_KEY, isSignedOut, queryClient } from './query-client.js';
import { forgetTokens } from './supervisor-tokens.js';

/** The signed-in user. Null: nobody is signed in. After the end of a session, the last user stays on the screen. */
export const accountQuery = queryOptions({
  queryKey: ACCOUNT_KEY,
  // Another tab can end the session, or sign another person in.
  refetchOnWindowFocus: 'always',
  queryFn: async ({ client, queryKey }): Promise<Main.AccountView | null> => {
    const last = client.getQueryData<Main.AccountView | null>(queryKey) ?? null;
    try {
      const account = await landlord.account.get();
      keepCsrfToken(account.csrf_token);
      // Another tab signed another person in. Nothing of the last person may stay here.
      if (last !== null && last.id !== account.id) {
        forgetDrafts(account.id);
        location.replace('/console/');
      }
      return account;
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      keepCsrfToken(null);
      if (last !== null) endedSession.set(true);
      return last;
    }
  },
});

/** Forgets everything that the last user saw. */
export async function sessionChanged(): Promise<void> {
  queryClient.clear();
  forgetTokens();
  forgetEtags();
  endedSession.set(false);
  const account = await queryClient.fetchQuery(accountQuery);
  // A person who signs in again finds the own drafts.
  forgetDrafts(account?.id);
}

/** The same user has a session again: what is on the screen stays, and is read again. */
export async function sessionRenewed(): Promise<void> {
  forgetTokens();
  await queryClient.fetchQuery({ ...accountQuery, staleTime: 0 });
  endedSession.set(false);
  await queryClient.invalidateQueries();
}
