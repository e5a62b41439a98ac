import { ID, readFilter } from '../../ui/list/filters.js';

export const KINDS = ['free', 'managed', 'byoc'] as const;
export type Kind = (typeof KINDS)[number];
export type Cloud = 'aws' | 'gcp';

/** What decides which fields the order has. The rest is in the fields. */
export interface OrderSearch {
  kind?: Kind;
  environment?: string;
  cloud?: Cloud;
  /** The stored cloud account that fills the order. */
  account?: string;
  /** The deployment and the backup from which the new deployment begins. */
  restore?: string;
  backup?: string;
}

export const searchOfOrder = (search: Record<string, unknown>): OrderSearch =>
  readFilter(search, {
    ...{ kind: KINDS, environment: ID, cloud: ['aws', 'gcp'] },
    ...{ account: ID, restore: ID, backup: ID },
  }) as OrderSearch;
