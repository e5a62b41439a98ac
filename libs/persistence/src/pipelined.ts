/**
 * Waits for all, and rejects with the rejection that comes first in the list. In a transaction, the statements that the list
 * starts share a round trip. After a refused statement PostgreSQL refuses the others, and their rejections must not hide the
 * reason.
 */
export async function pipelined<const T extends readonly Promise<unknown>[]>(
  statements: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(statements);
  return Promise.all(statements);
}
