import { DETAIL, LIVING_FROM, type DeploymentDetailRow } from './deployment-rows.js';

/** Times are texts in JSON. */
type Timed = 'created_at' | 'updated_at' | 'upgraded_at' | 'deletion_requested_at' | 'last_report_at';
/** Amounts are numbers in JSON. */
type Amount = 'monthly_compute' | 'monthly_storage' | 'spend_limit';

/** A deployment as one JSON column, so that another statement can also read a deployment. */
export type DeploymentJson = Omit<DeploymentDetailRow, Timed | Amount> & {
  created_at: string;
  updated_at: string;
  upgraded_at: string | null;
  deletion_requested_at: string | null;
  last_report_at: string | null;
  monthly_compute: number;
  monthly_storage: number;
  spend_limit: number | null;
};

/** The column: the living deployment `p` if it belongs to `tenant`, an expression of the statement. */
export const deploymentJson = (tenant: string): string => `(select row_to_json(found) from (
   select ${DETAIL} ${LIVING_FROM}
    where d.id = p.id and d.tenant_id = ${tenant}) found)`;

const timeOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

/** Numeric(14, 2) as PostgreSQL writes it. A double holds its 14 digits. */
const amountOf = (amount: number): string => amount.toFixed(2);

/** The row that a statement of the deployments returns for the same deployment. */
export const detailRowOf = (json: DeploymentJson): DeploymentDetailRow => ({
  ...json,
  created_at: new Date(json.created_at),
  updated_at: new Date(json.updated_at),
  upgraded_at: timeOf(json.upgraded_at),
  deletion_requested_at: timeOf(json.deletion_requested_at),
  last_report_at: timeOf(json.last_report_at),
  monthly_compute: amountOf(json.monthly_compute),
  monthly_storage: amountOf(json.monthly_storage),
  spend_limit: json.spend_limit === null ? null : amountOf(json.spend_limit),
});
