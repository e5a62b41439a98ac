import type { Reach } from '@libs/domain';

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

export const offsetOf = ({ page, results }: PageRequest): number => (page - 1) * results;

/** Reach as three values of a statement: all, divisions, environments. */
export const reachValues = (reach: Reach): [boolean, readonly number[], readonly number[]] => [
  reach.all,
  reach.divisions,
  reach.environments,
];

/** Splits rows that carry the total of the whole list beside each row. */
export function pageOf<T extends object>(rows: (T & { total: number })[], emptyTotal = 0): PageOf<T> {
  return { items: rows, total: rows[0]?.total ?? emptyTotal };
}
