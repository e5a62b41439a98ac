/** Ids are 64-bit integers in the database and JSON numbers in the API: positive, and at most 2^53 − 1 (C-1.1). */
export const MAX_ID = Number.MAX_SAFE_INTEGER;

/** Returns the id in a path segment. Null: the segment is not a positive safe integer in canonical form. */
export function parseId(text: string): number | null {
  if (!/^[1-9]\d{0,15}$/.test(text)) return null;
  const id = Number(text);
  return id <= MAX_ID ? id : null;
}
