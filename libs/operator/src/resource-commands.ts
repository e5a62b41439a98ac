import type { DeploymentId } from '@libs/domain';
import { statement } from '@libs/persistence';
import type { CloudResource } from '@libs/persistence/operator';
import type { OperatorSession } from './operator-session.js';

/** A cloud resource as operator commands show it. */
export type OperatorResource = Pick<
  CloudResource,
  | 'kind'
  | 'name'
  | 'deployment_id'
  | 'node_id'
  | 'driver'
  | 'region'
  | 'account'
  | 'incarnation'
  | 'intent'
  | 'error'
  | 'seen_at'
>;

export interface ResourceFilter {
  deploymentId: DeploymentId | null;
  /** Only resources whose last call the provider refused. */
  isRefused: boolean;
  limit: number;
}

const LIST = statement(
  'operator.resources',
  `select kind, name, deployment_id, node_id, driver, region, account, incarnation, intent, error, seen_at from cloud_resources
    where ($1::bigint is null or deployment_id = $1) and (not $2 or error is not null)
    order by deployment_id, kind, name limit $3`,
);

/** The cloud resources of all deployments, as their rows say. */
export class ResourceCommands {
  constructor(private readonly session: OperatorSession) {}

  list({ deploymentId, isRefused, limit }: ResourceFilter): Promise<OperatorResource[]> {
    return this.session.database.query<OperatorResource>(LIST, [deploymentId, isRefused, limit]);
  }
}
