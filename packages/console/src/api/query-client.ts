import { LandlordError, ProblemError } from '@landlord/sdk';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';

const FRESH_MS = 10_000;
export const ACCOUNT_KEY = ['account'];

/** A refused session is the reason to ask whose session this is. The answer says whether the session has ended. */
const onError = (error: unknown): void => {
  if (isSignedOut(error)) void queryClient.invalidateQueries({ queryKey: ACCOUNT_KEY, exact: true });
};

/** The SDK repeats requests itself. What is known stays on the screen while a newer answer comes. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: false,
      refetchOnWindowFocus: true,
      throwOnError: (_, query) => query.state.data === undefined,
    },
    mutations: { retry: false },
  },
});

/** Whether there is no such thing, or the caller may not know of it. */
export const isNotFound = (error: unknown): boolean => error instanceof ProblemError && error.status === 404;

/** Whether the API knows no session. A wrong password has the same status. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof LandlordError &&
  error instanceof ProblemError &&
  error.status === 401 &&
  error.code !== 'invalid_credentials';
