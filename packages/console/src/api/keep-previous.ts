import type { Query } from '@tanstack/react-query';

/**
 * What stays on the screen while another page of the same list comes, or the same list with another filter. The answer for another
 * organization, or for a thing with another id, is not shown.
 */
export const keepPrevious =
  (tenantId: number, name: string, input: object = {}) =>
  <Data>(previous: Data | undefined, query?: Pick<Query, 'queryKey'>): Data | undefined =>
    query !== undefined && placeOf(query.queryKey) === placeOf(['tenant', tenantId, name, input])
      ? previous
      : undefined;

/** The tenant, the name of the query, and the ids in its input. */
const placeOf = ([, tenantId, name, ...rest]: readonly unknown[]): string =>
  JSON.stringify([tenantId, name, rest.flatMap(idsIn)]);

const idsIn = (input: unknown): readonly unknown[] =>
  typeof input === 'object' && input !== null
    ? Object.entries(input)
        .filter(([member]) => /_id$/.test(member))
        .sort()
    : [];
