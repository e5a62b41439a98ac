import { useMutation, useQueryClient } from '@tanstack/react-query';

/** A change of the tree. Everything that the tab knows of the organization is read again. */
export function useChange<Input>(tenantId: number, change: (input: Input) => Promise<unknown>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['tenant', tenantId] }),
  });
}

/** A change without an input. */
export function useDeletion(tenantId: number, remove: () => Promise<unknown>) {
  const { mutate, isPending, error } = useChange<void>(tenantId, remove);
  return { mutate: () => mutate(), isPending, error };
}
