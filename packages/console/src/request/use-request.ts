import { useMutation, useQueryClient, type Query } from '@tanstack/react-query';
import { ProblemError, type CallOptions, type Landlord } from '@landlord/sdk';
import { useState } from 'react';
import { landlordAt, landlordOf } from '../api/client.js';
import { etagAt, forgetEtag, forgetEtagsOf } from '../api/etags.js';
import { shapeOf, type RequestName } from './find-shape.js';
import { pathWith } from './path-with.js';
import { RepeatKey } from './repeat-key.js';
import type { Input, PathIds } from './shape.js';

type Call = (input: Input, options: CallOptions) => Promise<unknown>;

/** The method of the SDK that sends the request. */
function sendRequest(landlord: Landlord, name: RequestName, input: Input, options: CallOptions): Promise<unknown> {
  const [group = '', method = ''] = name.split('.');
  const call = (landlord as unknown as Record<string, Record<string, Call>>)[group]?.[method];
  if (!call) throw new TypeError(`The SDK has no method ${name}.`);
  return call(input, options);
}

interface UseRequest<Answer> {
  tenantId: number;
  name: RequestName;
  ids?: PathIds;
  supervisorUrl?: string | undefined;
  /** Reads the input at the moment of the request. */
  input?: () => Input;
  /** Whether the request changes a record that the page shows. A change of another person is then not overwritten unseen. */
  isGuarded?: boolean;
  onDone?: ((answer: Answer) => unknown) | undefined;
}

/** Sends a request, and reads everything again that the tab knows of the organization. */
export function useRequest<Answer>(options: UseRequest<Answer>) {
  const { tenantId, name, ids = {}, supervisorUrl, input, onDone } = options;
  const queries = useQueryClient();
  const [keys] = useState(() => new RepeatKey());
  const landlord = supervisorUrl === undefined ? landlordOf(tenantId) : landlordAt(tenantId, supervisorUrl);
  const record = recordOf(options);
  const { mutate, isPending, error, isSuccess } = useMutation({
    mutationFn: () => {
      const given = { ...ids, ...input?.() };
      const etag = record === null ? undefined : etagAt(record);
      const headers = etag !== undefined && { headers: { 'if-match': etag } };
      return keys.send(given, (call) => sendRequest(landlord, name, given, { ...call, ...headers }) as Promise<Answer>);
    },
    onSuccess: async (answer) => {
      forgetEtagsOf(pathWith(shapeOf(name).path, { ...ids, tenant_id: tenantId }));
      // First the page leaves a thing that is gone. What stays on the screen is read again.
      await onDone?.(answer);
      await queries.invalidateQueries({ queryKey: ['tenant', tenantId], predicate: isThere(name, ids) });
    },
    onError: async (refusal) => {
      if (record === null || !isOutdated(refusal)) return;
      forgetEtag(record);
      await queries.invalidateQueries({ queryKey: ['tenant', tenantId] });
    },
  });
  return {
    mutate: () => mutate(),
    isPending,
    error,
    isSuccess,
  };
}

/** The path of the record that the request changes. Null: the request overwrites nothing. */
function recordOf<Answer>({ tenantId, name, ids = {}, isGuarded }: UseRequest<Answer>): string | null {
  const { record } = shapeOf(name);
  return isGuarded === true && record !== undefined ? pathWith(record, { ...ids, tenant_id: tenantId }) : null;
}

/** Whether somebody changed the record since the tab read it. */
const isOutdated = (error: unknown): boolean => error instanceof ProblemError && error.code === 'precondition_failed';

/** Whether a query reads something else than the thing that the request has deleted. The ids of a query are in the object after its name. */
function isThere(name: RequestName, ids: PathIds) {
  const { method, path } = shapeOf(name);
  const [, last] = /\{(\w+)\}$/.exec(path) ?? [];
  return ({ queryKey }: Query): boolean => {
    const [, , , input] = queryKey;
    return method !== 'DELETE' || last === undefined || (input as PathIds | undefined)?.[last] !== ids[last];
  };
}
