import type { OperationRow } from './calls.js';
import { WrongUseError } from './errors.js';

/** A request without the address of its API. */
export interface PreparedRequest {
  method: string;
  /** The path with the query. */
  path: string;
  /** JSON. Null: the request has no body. */
  body: string | null;
}

type Given = Readonly<Record<string, unknown>>;

/** Puts the members of the input into the path, the query and the body. @throws WrongUseError for a path that cannot be built */
export function prepareRequest([, method, path, , queryNames, hasBody]: OperationRow, input: Given): PreparedRequest {
  const rest = { ...input };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const segment = segmentOf(name, rest[name]);
    delete rest[name];
    return segment;
  });
  const query = new URLSearchParams();
  for (const name of queryNames.split(' ').filter(Boolean)) {
    const value = rest[name];
    delete rest[name];
    if (value !== undefined) query.set(name, Array.isArray(value) ? value.join(',') : textOf(name, value));
  }
  // The members that are left are those of the body. Members with a wrong name in a request without a body would be ignored.
  const unknown = hasBody ? [] : Object.keys(rest).filter((name) => rest[name] !== undefined);
  if (unknown.length > 0) throw new WrongUseError(`The request has no member ${unknown.join(', ')}.`);
  const asked = query.size === 0 ? filled : `${filled}?${query}`;
  return { method, path: asked, body: hasBody ? JSON.stringify(rest) : null };
}

/** One segment of a path. `.` and `..` would change the path. */
function segmentOf(name: string, value: unknown): string {
  const text = textOf(name, value);
  if (text === '' || text === '.' || text === '..') throw new WrongUseError(`${name} is "${text}".`);
  return encodeURIComponent(text);
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new WrongUseError(`${name} must be a whole number.`);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new WrongUseError(value === undefined ? `${name} is missing.` : `${name} is neither a text nor a number.`);
}
