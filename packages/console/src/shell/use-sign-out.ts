import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { landlord } from '../api/client.js';
import { isSignedOut } from '../api/query-client.js';
import { sessionChanged } from '../api/session.js';

/** Ends the session. Then another person can sign in and go on to the page `next`. */
export function useSignOut(next?: string) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async () => {
      await landlord.sessions.signOut().catch((error: unknown) => {
        // A session that has ended already is what the person wants.
        if (!isSignedOut(error)) throw error;
      });
      await sessionChanged();
    },
    onSuccess: () => navigate({ to: '/sign-in', search: next === undefined ? {} : { next } }),
  });
}
