import type { Main } from '@landlord/sdk';
import { queryOptions } from '@tanstack/react-query';
import { landlord } from './client.js';
import { keepCsrfToken } from './csrf.js';
import { forgetTokens } from './supervisor-tokens.js';
import { isSignedOut, queryClient } from './query-client.js';

const KEY = ['account'];

/** The signed-in user. Null: nobody is signed in. */
export const accountQuery = queryOptions({
  queryKey: KEY,
  queryFn: async (): Promise<Main.AccountView | null> => {
    try {
      const account = await landlord.account.get();
      keepCsrfToken(account.csrf_token);
      return account;
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      keepCsrfToken(null);
      return null;
    }
  },
});

/** Forgets everything that the last user saw. */
export async function sessionChanged(): Promise<void> {
  queryClient.clear();
  forgetTokens();
  await queryClient.fetchQuery(accountQuery);
}
