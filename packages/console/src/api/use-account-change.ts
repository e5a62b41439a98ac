import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ACCOUNT_KEY } from './query-client.js';

/** A change of what belongs to the person. Everything that the tab knows of the account is read again. */
export function useAccountChange<Answer>(change: () => Promise<Answer>, onDone?: (answer: Answer) => unknown) {
  const queries = useQueryClient();
  const { mutate, isPending, error, isSuccess, data } = useMutation({
    mutationFn: change,
    onSuccess: async (answer) => {
      await queries.invalidateQueries({ queryKey: ACCOUNT_KEY });
      await onDone?.(answer);
    },
  });
  return { mutate: () => mutate(), isPending, error, isSuccess, data };
}
