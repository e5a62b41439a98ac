import { isDataFault } from '@libs/persistence';

/** An item that could not be stored, and the error. */
export interface Unstorable<T> {
  item: T;
  error: unknown;
}

/**
 * Writes all items with one call of `write`. When a value cannot be stored, writes the items in halves until the bad
 * items are alone, and returns those. So the items of one node do not affect the items of other nodes. `write` may get
 * an item again after a failure. Rejects when the failure is not about the values, for example when the database is
 * down.
 */
export async function writeApart<T>(
  items: readonly T[],
  write: (items: readonly T[]) => Promise<void>,
): Promise<Unstorable<T>[]> {
  const [first] = items;
  if (first === undefined) return [];
  try {
    await write(items);
    return [];
  } catch (error) {
    if (!isDataFault(error)) throw error;
    if (items.length === 1) return [{ item: first, error }];
    const half = Math.ceil(items.length / 2);
    const bad = await writeApart(items.slice(0, half), write);
    return [...bad, ...(await writeApart(items.slice(half), write))];
  }
}
