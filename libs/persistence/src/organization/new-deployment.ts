import type { DeploymentId, NodeId } from '@libs/domain';
import { statement } from '../database.js';
import type { Deployment } from './entities/deployment.entity.js';

/** Columns that an insert requires. */
export const INSERTED = [
  'id',
  'tenant_id',
  'division_id',
  'environment_id',
  'name',
  'description',
  'code',
  'variant',
  'cloud',
  'area',
  'region',
  'cell',
  'tier',
  'cluster',
  'managed_tier',
  'storage_type',
  'storage_size',
  'target_network_tput',
  'network_scope',
  'availability_mode',
  'nodes_count',
  'protected',
  'encrypted',
  'public_ip_enabled',
  'subdomain_enabled',
  'dedicated',
  'features',
  'telemetry_days',
  'telemetry_days_explicit',
  'spend_limit',
  'monthly_compute',
  'monthly_storage',
  'pricing_version',
  'cloud_account_id',
  'author_id',
] as const satisfies (keyof Deployment)[];

/** The members of a deployment at its creation. */
export type NewDeployment = Pick<Deployment, (typeof INSERTED)[number]>;

export const INSERT = statement(
  'deployment.insert',
  `insert into deployments (${INSERTED.join(', ')}) overriding system value
   values (${INSERTED.map((name, index) => (name === 'description' ? `coalesce($${index + 1}, '')` : `$${index + 1}`)).join(', ')})`,
);

export const RESERVE_IDS = statement(
  'deployment.reserve_ids',
  `select nextval('deployments_id_seq') as id,
     (select jsonb_agg(nextval('nodes_id_seq')) from generate_series(1, $1::int)) as node_ids`,
);

/** The ids of a deployment and its nodes before their rows are inserted. */
export interface ReservedIds {
  id: DeploymentId;
  node_ids: NodeId[];
}
