import type { AuditType } from '../../api/queries/organization.js';
import { DAY, ID, readFilter } from '../../ui/list/filters.js';
import { readPage } from '../../ui/list/pages.js';

/** The filters of the audit. Days are days of UTC, and the last day counts. */
export interface AuditFilter {
  type?: string;
  from?: string;
  to?: string;
  author?: string;
  user?: string;
  api_key?: string;
  division?: string;
  environment?: string;
  deployment?: string;
  correlation_id?: string;
}

/** The name of a type of entries. */
const TYPE = /^[a-z_]{1,60}$/;
/** What a person has typed of a UUID or of the id of a trace. */
const STARTED = /^[\da-f-]{1,36}$/i;
const CORRELATION = /^([\da-f]{32}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/i;
/** Ids of things, each as a filter. */
const IDS = ['author', 'user', 'api_key', 'division', 'environment', 'deployment'] as const;

export const searchOfAudit = (search: Record<string, unknown>) => ({
  ...readPage(search),
  ...readFilter(search, { type: TYPE, from: DAY, to: DAY, correlation_id: STARTED }),
  ...readFilter(search, Object.fromEntries(IDS.map((name) => [name, ID])) as Record<(typeof IDS)[number], RegExp>),
});

type Ids = { [Name in (typeof IDS)[number]]?: number };

/** The filter as the API takes it. The id of a request is sent when the person has typed the whole id. */
export const queryOf = ({ type, from, to, correlation_id, ...ids }: AuditFilter) => ({
  ...(type !== undefined && { types: [type as AuditType] }),
  ...(from !== undefined && { from: `${from}T00:00:00Z` }),
  ...(to !== undefined && { to: `${to}T23:59:59.999Z` }),
  ...(correlation_id !== undefined && CORRELATION.test(correlation_id) && { correlation_id }),
  ...(Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, Number(id)])) as Ids),
});
