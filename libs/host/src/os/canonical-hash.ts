import { createHash } from 'node:crypto';

/** SHA-256 in hex of the JSON of `value` with sorted keys. Equal values give equal hashes for any order of keys. */
export function canonicalHash(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value, sortKeys) ?? 'undefined')
    .digest('hex');
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
