import type { Reach } from '@libs/domain';
import type { Database, Statement } from './database.js';

/** Which page of a list is asked for. */
export interface PageRequest {
  /** From 1. */
  page: number;
  /** Rows on a page. */
  results: number;
}

/** One page and the exact number of rows in all pages. */
export interface PageOf<T> {
  items: T[];
  total: number;
}

/** Reach as three values of a statement: all, divisions, environments. */
export const reachValues = (reach: Reach): [boolean, readonly number[], readonly number[]] => [
  reach.all,
  reach.divisions,
  reach.environments,
];

/** A list and the count of it; both take the same values first, the list then the limit and the offset. */
export interface PagedStatements {
  list: Statement;
  count: Statement;
}

/**
 * Reads one page. The total comes beside the rows; only a page past the end, which has none, asks for it separately.
 */
export async function readPage<T extends object>(
  database: Database,
  { list, count }: PagedStatements,
  values: readonly unknown[],
  request: PageRequest,
): Promise<PageOf<T>> {
  const limits = [request.results, (request.page - 1) * request.results];
  const rows = await database.query<T & { total: number }>(list, [...values, ...limits]);
  const [first] = rows;
  if (first || request.page === 1) return { items: rows, total: first?.total ?? 0 };
  const [counted] = await database.query<{ count: number }>(count, [...values]);
  return { items: [], total: counted?.count ?? 0 };
}
