import type { AuditType } from '../../api/queries/organization.js';
import { readPage, type PageSearch } from '../../ui/pages.js';

/** The filters of the audit. Days are days of UTC, and the last day counts. */
export interface AuditFilter {
  type?: AuditType;
  from?: string;
  to?: string;
  author?: number;
  deployment?: number;
}
export type AuditSearch = PageSearch & AuditFilter;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function searchOfAudit(search: Record<string, unknown>): AuditSearch {
  const { type, from, to } = search;
  const id = (name: string): object => {
    const number = Number(search[name]);
    return Number.isSafeInteger(number) && number > 0 ? { [name]: number } : {};
  };
  return {
    ...readPage(search),
    ...(typeof type === 'string' && { type: type as AuditType }),
    ...(typeof from === 'string' && DAY.test(from) && { from }),
    ...(typeof to === 'string' && DAY.test(to) && { to }),
    ...id('author'),
    ...id('deployment'),
  };
}

/** The filter as the API takes it. */
export const queryOf = ({ type, from, to, author, deployment }: AuditFilter) => ({
  ...(type && { types: [type] }),
  ...(from !== undefined && { from: `${from}T00:00:00Z` }),
  ...(to !== undefined && { to: `${to}T23:59:59.999Z` }),
  ...(author !== undefined && { author }),
  ...(deployment !== undefined && { deployment }),
});
