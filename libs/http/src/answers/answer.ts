import type { ResourceIds } from '@libs/domain';

/** The body and the headers of an answer to a write. The route sets the status (`@Creates`, `@Accepts`, ...). */
export class Answer<T = void> {
  constructor(
    readonly body: T,
    readonly headers: Readonly<Record<string, string>>,
  ) {}
}

/** The values that a location may name. */
export interface LocatedRecord {
  /** The path of the request. */
  path: string;
  params: Readonly<Record<string, unknown>>;
  ids: ResourceIds;
  record: unknown;
}

/** The headers with the ids of created resources (C-1.5). */
export const idHeaders = (ids: ResourceIds): Record<string, string> =>
  Object.fromEntries(Object.entries(ids).map(([kind, id]) => [`ld-${kind}`, String(id)]));

/**
 * Fills the placeholders of a location: ids of created resources, parameters of the path, then members of the record. A
 * template without a leading slash is relative to the path of the request.
 * @throws TypeError for a placeholder without a value, which is a bug of the route
 */
export function locationOf(template: string, { path, params, ids, record }: LocatedRecord): string {
  const values = { ...(record as object | undefined), ...params, ...ids } as Record<
    string,
    string | number | undefined
  >;
  const filled = template.replace(/:([\w-]+)/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new TypeError(`the location ${template} has no value for ${name}`);
    return String(value);
  });
  // Routes also match a path with a slash at its end.
  return filled.startsWith('/') ? filled : `${path.replace(/\/+$/, '')}/${filled}`;
}
