import type { Named } from '../ledger/index.js';

/** Quantities and money of one line or of several together: decimals as text, money in USD. */
export interface Charges {
  /** One node for one hour is one. */
  computeHours: string;
  /** One GB on one node for one hour is one. */
  storageGbHours: string;
  /** GB of 10⁹ bytes, from and to clients. */
  transferGb: string;
  computeUsd: string;
  storageUsd: string;
  transferUsd: string;
  totalUsd: string;
}

/** A time in which a deployment had one shape at one price. */
export interface ChargedPeriod {
  /** ISO 8601. */
  from: string;
  /** ISO 8601; exclusive. */
  to: string;
  cloud: string;
  region: string;
  tier: string;
  managed_tier: string | null;
  nodes: number;
  storage_type: string;
  /** GB on each node. */
  storage_size: number;
  /** USD for a month of 730 hours, without transfer. */
  monthly_base_usd: string;
  pricing_version: string;
}

/** What one deployment is charged for. Names are those that it and its place have, or had at the end of the month. */
export interface ChargeLine extends Charges {
  deployment: Named;
  code: string;
  division: Named;
  environment: Named;
  periods: ChargedPeriod[];
}

/** What a caller may see of what is charged to a tenant: all, or what its division is charged. */
export interface BillingScope {
  tenantId: number;
  divisionScope: number | null;
}

const SUMS = ['compute_hours', 'storage_gb_hours', 'transfer_gb', 'compute_usd', 'storage_usd', 'transfer_usd'];
const asText = (column: string, name: string): string => `${column}::text as "${name}"`;
const camel = (name: string): string => name.replace(/_(\w)/g, (_, rendered: string) => rendered.toUpperCase());

/** The columns of `Charges` of a relation that has them, as SQL. */
export const chargeColumns = (relation: string): string =>
  [
    ...SUMS.map((name) => asText(`${relation}.${name}`, camel(name))),
    asText(`(${relation}.compute_usd + ${relation}.storage_usd + ${relation}.transfer_usd)`, 'totalUsd'),
  ].join(', ');

/** The sums of the lines of a relation, under the names of their columns, as SQL; zeros for none. */
export const chargeSums = (relation: string): string =>
  SUMS.map((name) => `coalesce(sum(${relation}.${name}), 0${name.endsWith('usd') ? '.00' : ''}) as ${name}`).join(', ');
