import { LandlordError, ProblemError } from '@landlord/sdk';
import { QueryClient } from '@tanstack/react-query';

const FRESH_MS = 10_000;

/** The SDK repeats requests itself. What is known stays on the screen while a newer answer comes. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: false,
      refetchOnWindowFocus: true,
      throwOnError: (error, query) => query.state.data === undefined || isSignedOut(error),
    },
    mutations: { retry: false },
  },
});

/** Whether there is no such thing, or the caller may not know of it. */
export const isNotFound = (error: unknown): boolean => error instanceof ProblemError && error.status === 404;

/** Whether the session has ended. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof LandlordError && error instanceof ProblemError && error.status === 401;
