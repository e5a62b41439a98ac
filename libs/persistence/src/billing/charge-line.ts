import type { DivisionId, TenantId, DeploymentId, EnvironmentId } from '@libs/domain';
import type { Named } from '../ledger/index.js';

/** Quantities and money of one line or of several lines together. Decimals are text, money is in USD. */
export interface Charges {
  /** One node for one hour counts as one. */
  computeHours: string;
  /** One GB on one node for one hour counts as one. */
  storageGbHours: string;
  /** GB of 10⁹ bytes, from and to clients. */
  transferGb: string;
  computeUsd: string;
  storageUsd: string;
  transferUsd: string;
  totalUsd: string;
}

/** A period in which a deployment had one shape at one price. */
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

/**
 * The charges of one deployment. The names of the deployment and of its parents are current, or those at the end of the month.
 */
export interface ChargeLine extends Charges {
  deployment: Named<DeploymentId>;
  code: string;
  division: Named<DivisionId>;
  environment: Named<EnvironmentId>;
  periods: ChargedPeriod[];
}

/** The charges of a tenant that a caller may see: all, or only those of its division. */
export interface BillingScope {
  tenantId: TenantId;
  divisionScope: DivisionId | null;
}

const SUMS = ['compute_hours', 'storage_gb_hours', 'transfer_gb', 'compute_usd', 'storage_usd', 'transfer_usd'];
const asText = (column: string, name: string): string => `${column}::text as "${name}"`;
const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** SQL for the columns of `Charges`, read from a relation that has them. */
export const chargeColumns = (relation: string): string =>
  [
    ...SUMS.map((name) => asText(`${relation}.${name}`, camel(name))),
    asText(`(${relation}.compute_usd + ${relation}.storage_usd + ${relation}.transfer_usd)`, 'totalUsd'),
  ].join(', ');

/** SQL for the sums over the lines of a relation, with the same column names. Zero when there are no lines. */
export const chargeSums = (relation: string): string =>
  SUMS.map((name) => `coalesce(sum(${relation}.${name}), 0${name.endsWith('usd') ? '.00' : ''}) as ${name}`).join(', ');
