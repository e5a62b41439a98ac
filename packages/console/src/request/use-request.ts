import { useMutation, useQueryClient, type Query } from '@tanstack/react-query';
import type { Landlord } from '@landlord/sdk';
import { landlordAt, landlordOf } from '../api/client.js';
import { shapeOf, type RequestName } from './find-shape.js';
import type { Input, PathIds } from './shape.js';

type Call = (input: Input) => Promise<unknown>;

/** The method of the SDK that sends the request. */
function sendRequest(landlord: Landlord, name: RequestName, input: Input): Promise<unknown> {
  const [group = '', method = ''] = name.split('.');
  const call = (landlord as unknown as Record<string, Record<string, Call>>)[group]?.[method];
  if (!call) throw new TypeError(`The SDK has no method ${name}.`);
  return call(input);
}

interface UseRequest<Answer> {
  tenantId: number;
  name: RequestName;
  ids?: PathIds;
  supervisorUrl?: string | undefined;
  /** Reads the input at the moment of the request. */
  input?: () => Input;
  onDone?: ((answer: Answer) => unknown) | undefined;
}

/** Sends a request, and reads everything again that the tab knows of the organization. */
export function useRequest<Answer>({ tenantId, name, ids = {}, supervisorUrl, input, onDone }: UseRequest<Answer>) {
  const queries = useQueryClient();
  const landlord = supervisorUrl === undefined ? landlordOf(tenantId) : landlordAt(tenantId, supervisorUrl);
  const { mutate, isPending, error, isSuccess } = useMutation({
    mutationFn: () => sendRequest(landlord, name, { ...ids, ...input?.() }) as Promise<Answer>,
    onSuccess: async (answer) => {
      // First the page leaves a thing that is gone. What stays on the screen is read again.
      await onDone?.(answer);
      await queries.invalidateQueries({ queryKey: ['tenant', tenantId], predicate: isThere(name, ids) });
    },
  });
  return {
    mutate: () => mutate(),
    isPending,
    error,
    isSuccess,
  };
}

/** Whether a query reads something else than the thing that the request has deleted. */
function isThere(name: RequestName, ids: PathIds) {
  const { method, path } = shapeOf(name);
  const [, last] = /\{(\w+)\}$/.exec(path) ?? [];
  return ({ queryKey }: Query): boolean => {
    const [, , , input] = queryKey;
    return method !== 'DELETE' || last === undefined || (input as PathIds | undefined)?.[last] !== ids[last];
  };
}
