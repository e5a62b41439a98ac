import { isDataFault } from '@libs/persistence';

/** What could not be stored, and why. */
export interface Unstorable<T> {
  item: T;
  error: unknown;
}

/**
 * Writes all items by one call of `write`. When a value among the items cannot be stored, writes them in halves until the
 * bad ones are alone, and answers those: the items of one node must not take the items of other nodes along. `write` may
 * see an item again after a failure. Rejects when the failure says nothing about the values, as when the database is down.
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
