/** Ids are 64-bit in the database and JSON numbers outside: always positive and at most 2^53 − 1 (C-1.1). */
export const MAX_ID = Number.MAX_SAFE_INTEGER;

/** The id in a path segment, or null when it is not a positive safe integer in canonical spelling. */
export function parseId(text: string): number | null {
  if (!/^[1-9]\d{0,15}$/.test(text)) return null;
  const id = Number(text);
  return id <= MAX_ID ? id : null;
}
