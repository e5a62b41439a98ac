import type { AuditType } from '../../api/queries/organization.js';
import { DAY, ID, readFilter } from '../../ui/list/filters.js';
import { readPage } from '../../ui/list/pages.js';

/** The filters of the audit. Days are days of UTC, and the last day counts. */
export interface AuditFilter {
  type?: string;
  from?: string;
  to?: string;
  author?: string;
  deployment?: string;
}

/** The name of a type of entries. */
const TYPE = /^[a-z_]{1,60}$/;

export const searchOfAudit = (search: Record<string, unknown>) => ({
  ...readPage(search),
  ...readFilter(search, { type: TYPE, from: DAY, to: DAY, author: ID, deployment: ID }),
});

/** The filter as the API takes it. */
export const queryOf = ({ type, from, to, author, deployment }: AuditFilter) => ({
  ...(type !== undefined && { types: [type as AuditType] }),
  ...(from !== undefined && { from: `${from}T00:00:00Z` }),
  ...(to !== undefined && { to: `${to}T23:59:59.999Z` }),
  ...(author !== undefined && { author: Number(author) }),
  ...(deployment !== undefined && { deployment: Number(deployment) }),
});
