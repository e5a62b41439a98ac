import {
  cursorOf,
  DomainError,
  readCursor,
  type DivisionId,
  type EnvironmentId,
  type ListPosition,
  type Reach,
} from '@libs/domain';
import { statement, type Database, type Statement } from './database.js';

/** The page of a list that the caller requests. */
export interface PageRequest {
  /** Starts at 1. */
  page: number;
  /** Rows per page. */
  results: number;
  /** A key of the list, with `-` for descending. Default: the order that the list declares. */
  sort?: string | undefined;
  /** The page begins after the row of this cursor. `page` is then only a number to show. */
  cursor?: string | undefined;
}

/** One page and the exact number of rows in all pages. */
export interface PageOf<T> {
  items: T[];
  total: number;
  /** The cursor of the next page, or null on the last one. */
  next: string | null;
}

/** The reach of a caller as three values of a statement: all, divisions, environments. */
export const reachValues = (reach: Reach): [boolean, readonly DivisionId[], readonly EnvironmentId[]] => [
  reach.all,
  reach.divisions,
  reach.environments,
];

/** A list that can be read page by page. */
export interface ListDefinition {
  /** A `with` that the rows need. */
  with?: string;
  columns: string;
  /** `from` and `where`. A condition can follow. */
  rows: string;
  /** Counts the rows without their columns, which spares memory for many rows and needs a second look at few. */
  isLarge?: boolean;
  /** A number that is unique in the list. Without another order the highest comes first. */
  id: string;
  /** What the list can be sorted by. */
  keys?: Readonly<Record<string, SortedKey>>;
  /** The order of a request without `sort`, where it is not that of the id. */
  usual?: string;
  /**
   * Adds to the selected page, for example columns that only its rows need. The result has the
   * columns `total`, `cursor_value` and `cursor_id` of the page.
   */
  around?: (page: string, order: string) => string;
}

/** One value of each row. */
export interface SortedKey {
  expression: string;
  /** As a cursor contains it. */
  value: string;
  /** Whether a cursor of this order can contain the value. */
  accepts: (value: ListPosition['value']) => boolean;
  /** The value of a cursor, in the type of the expression. */
  parameter: (place: string) => string;
}

/** Names are sorted as they are unique: without regard to case. */
export const byName = (name: string): SortedKey => ({
  expression: `lower(${name})`,
  value: `lower(${name})`,
  accepts: (value) => typeof value === 'string',
  parameter: (place) => `${place}::text`,
});

/** A number of JavaScript has all microseconds of PostgreSQL, and a Date has only milliseconds. */
export const byTime = (time: string): SortedKey => ({
  expression: time,
  value: `(extract(epoch from ${time}) * 1000000)::bigint`,
  accepts: (value) => typeof value === 'number',
  parameter: (place) => `timestamptz 'epoch' + ${place}::bigint * interval '1 microsecond'`,
});

/** For `numeric`, whose exact value is a text. */
export const byAmount = (amount: string): SortedKey => ({
  expression: amount,
  value: `(${amount})::text`,
  accepts: (value) => typeof value === 'string' && /^\d{1,12}(\.\d{1,9})?$/.test(value),
  parameter: (place) => `${place}::numeric`,
});

/** A declared list. */
export interface PagedStatements extends ListDefinition {
  /** The usual order, by page number: a prepared statement, because most requests need it. */
  first: Statement;
  count: Statement;
}

/**
 * Declares the list `name`, and the count of the same rows: `role.list` and `role.count`. The statement has the values of the rows
 * first, then those of the cursor, the limit and the offset.
 */
export function paged(name: string, list: ListDefinition): PagedStatements {
  const { first, count } = pagedFor(list);
  return { ...list, first: statement(name, first.text), count: statement(name.replace('list', 'count'), count.text) };
}

/** A list whose text depends on the filters. The statements have no names, so that PostgreSQL plans them for their values. */
export function pagedFor(list: ListDefinition): PagedStatements {
  const count = `${list.with ?? ''} select count(*)::int as count ${list.rows}`;
  return { ...list, first: unnamed(textOf(list, undefined, false)), count: unnamed(count) };
}

const unnamed = (text: string): Statement => ({ name: '', text });

/**
 * Reads one page, and one row more to know whether another page follows. Each row contains the total. Only a page after the end has
 * no rows and needs a separate count.
 * @throws DomainError validation_failed for a cursor of another list or another order
 */
export async function readPage<T extends object>(
  database: Database,
  list: PagedStatements,
  values: readonly unknown[],
  { page, results, sort, cursor }: PageRequest,
): Promise<PageOf<T>> {
  const position = cursor === undefined ? null : positionOf(list, sort, cursor);
  const bounds = position ? [position.value, position.id, results + 1] : [results + 1, (page - 1) * results];
  const text = statementFor(list, sort, position !== null);
  const rows = await database.query<T & RowPosition & { total: number }>(text, [...values, ...bounds]);
  const items = rows.slice(0, results);
  const next = rows.length > results ? cursorAfter(items) : null;
  const [first] = rows;
  if (first || (page === 1 && position === null)) return { items, total: first?.total ?? 0, next };
  const [counted] = await database.query<{ count: number }>(list.count, [...values]);
  return { items: [], total: counted?.count ?? 0, next };
}

const statementFor = (list: PagedStatements, sort: string | undefined, isAfter: boolean): Statement =>
  !isAfter && sort === undefined ? list.first : unnamed(textOf(list, sort, isAfter));

/** @throws DomainError validation_failed for a cursor of another list or another order */
export function positionOf(
  list: Pick<ListDefinition, 'keys' | 'usual'>,
  sort: string | undefined,
  cursor: string,
): ListPosition {
  const position = readCursor(cursor);
  const { key } = orderOf(list, sort);
  if (position && (key ? key.accepts(position.value) : position.value === null)) return position;
  const reason = 'must be the cursor of a link of this list, in the same order';
  throw new DomainError('validation_failed', `/cursor: ${reason}`, {
    fieldIssues: [{ path: '/cursor', code: 'is_cursor', reason }],
  });
}

/** The columns of each row that say where it is in the list. */
export interface RowPosition {
  cursor_value: ListPosition['value'];
  cursor_id: number;
}

/** The cursor after the last row of a page. */
export function cursorAfter(rows: readonly RowPosition[]): string | null {
  const last = rows.at(-1);
  return last ? cursorOf({ value: last.cursor_value, id: last.cursor_id }) : null;
}

/** A page of the list in one order, by its number or after a cursor. */
function textOf(list: ListDefinition, sort: string | undefined, isAfter: boolean): string {
  const { with: beforehand = '', columns, rows, id, isLarge, around = (page) => page } = list;
  const used = Math.max(0, ...parametersOf(beforehand + columns + rows));
  const place = (more: number) => `$${used + more}`;
  const { key, direction } = orderOf(list, sort);
  const order = `order by ${key ? `${key.expression} ${direction}, ` : ''}${id} ${direction}`;
  const cursor = `${key?.value ?? 'null'} as cursor_value, ${id} as cursor_id`;
  const total = isAfter || isLarge ? `(select count(*)::int ${rows})` : 'count(*) over ()::int';
  const selected = `${beforehand} select ${columns}, ${total} as total, ${cursor} ${rows}`;
  if (!isAfter) return around(`${selected} ${order} limit ${place(1)} offset ${place(2)}`, order);
  const sign = direction === 'asc' ? '>' : '<';
  // Without a key the value of a cursor is null. PostgreSQL needs the type of each parameter.
  const after = key
    ? `(${key.expression}, ${id}) ${sign} (${key.parameter(place(1))}, ${place(2)}::bigint)`
    : `${place(1)}::text is null and ${id} ${sign} ${place(2)}::bigint`;
  return around(`${selected} and ${after} ${order} limit ${place(3)}`, order);
}

const parametersOf = (text: string): number[] => [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number));

function orderOf(
  { keys = {}, usual }: Pick<ListDefinition, 'keys' | 'usual'>,
  sort = usual,
): { key?: SortedKey; direction: 'asc' | 'desc' } {
  if (sort === undefined) return { direction: 'desc' };
  const [, minus, name = ''] = /^(-?)(.+)$/.exec(sort) ?? [];
  const key = keys[name];
  if (key === undefined) throw new TypeError(`The list cannot be sorted by ${name}.`);
  return { key, direction: minus ? 'desc' : 'asc' };
}
