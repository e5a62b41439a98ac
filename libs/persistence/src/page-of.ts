import type { Reach, DivisionId, EnvironmentId } from '@libs/domain';
import { statement, type Database, type Statement } from './database.js';

/** The page of a list that the caller requests. */
export interface PageRequest {
  /** Starts at 1. */
  page: number;
  /** Rows per page. */
  results: number;
}

/** One page and the exact number of rows in all pages. */
export interface PageOf<T> {
  items: T[];
  total: number;
}

/** The reach of a caller as three values of a statement: all, divisions, environments. */
export const reachValues = (reach: Reach): [boolean, readonly DivisionId[], readonly EnvironmentId[]] => [
  reach.all,
  reach.divisions,
  reach.environments,
];

/** A list and its count. Both take the same values first; the list then takes the limit and the offset. */
export interface PagedStatements {
  list: Statement;
  count: Statement;
}

/**
 * Declares the list `name`, and the count of the same rows: `role.list` and `role.count`. `rows` are `from` and `where`. The
 * limit and the offset are the parameters after those of the rows.
 */
export function paged(
  name: string,
  { columns, rows, order }: Record<'columns' | 'rows' | 'order', string>,
): PagedStatements {
  const [limit, offset] = [1, 2].map((more) => `$${more + Math.max(0, ...parametersOf(columns + rows))}`);
  return {
    list: statement(
      name,
      `select ${columns}, count(*) over ()::int as total ${rows} order by ${order} limit ${limit} offset ${offset}`,
    ),
    count: statement(name.replace('list', 'count'), `select count(*)::int as count ${rows}`),
  };
}

const parametersOf = (text: string): number[] => [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number));

/** Reads one page. Each row contains the total. Only a page after the end has no rows and needs a separate count. */
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
