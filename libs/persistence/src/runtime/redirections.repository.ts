import { Injectable } from '@nestjs/common';
import type { DeploymentId } from '@libs/domain';
import { statement, Database } from '../database.js';

/** A deployment whose name or load balancer can lead to a machine that it no longer has. */
export interface Redirection {
  deploymentId: DeploymentId;
  /** Which change of the nodes it is: the time as text of the database. */
  since: string;
  /** Whether the deployment has a load balancer. */
  hasBalancer: boolean;
}

const BEGIN = statement(
  'redirection.begin',
  'update deployment_runtimes set redirecting_since = clock_timestamp() where deployment_id = $1 and deleted_at is null',
);
const DUE = statement(
  'redirection.due',
  `select deployment_id as "deploymentId", redirecting_since::text as since, load_balancer is not null as "hasBalancer"
     from deployment_runtimes
    where cell = $1 and redirecting_since is not null and deleted_at is null and status in ('initialized', 'degraded', 'stopped')
    order by redirecting_since limit $2`,
);
// A node that changed in the meantime has set another time.
const END = statement(
  'redirection.end',
  'update deployment_runtimes set redirecting_since = null where deployment_id = $1 and redirecting_since = $2::timestamptz',
);
const POSTPONE = statement(
  'redirection.postpone',
  `update deployment_runtimes set redirecting_since = clock_timestamp() where deployment_id = $1 and redirecting_since = $2::timestamptz`,
);

/** Deployments whose clients must be led to other machines, because nodes were replaced. */
@Injectable()
export class RedirectionsRepository {
  constructor(private readonly database: Database) {}

  /** In the transaction that records the other machine of a node. */
  async begin(deploymentId: DeploymentId): Promise<void> {
    await this.database.execute(BEGIN, [deploymentId]);
  }

  /** Those of serving deployments of the cell, the oldest first. */
  async due(cell: string, limit: number): Promise<Redirection[]> {
    return this.database.query<Redirection>(DUE, [cell, limit]);
  }

  /** The name and the load balancer lead to the nodes. Has no effect if a node has changed since. */
  async end({ deploymentId, since }: Redirection): Promise<void> {
    await this.database.execute(END, [deploymentId, since]);
  }

  /** Puts the deployment behind the others that are due. */
  async postpone({ deploymentId, since }: Redirection): Promise<void> {
    await this.database.execute(POSTPONE, [deploymentId, since]);
  }
}
