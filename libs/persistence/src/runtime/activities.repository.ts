import { Injectable } from '@nestjs/common';
import type { DeploymentId, DivisionId, EnvironmentId, NodeId, OperationId, TenantId, UserId } from '@libs/domain';
import { equalTo } from '../conditions.js';
import { statement, Database } from '../database.js';
import { byTime, paged, readPage, type PageOf, type PageRequest } from '../page-of.js';
import { Activity } from './entities/activity.entity.js';

/** An action on a runtime of one node (C-17.4). */
export type ActivityRow = Pick<
  Activity,
  | 'id'
  | 'tenant_id'
  | 'division_id'
  | 'environment_id'
  | 'deployment_id'
  | 'author_id'
  | 'runtime'
  | 'action'
  | 'node_id'
  | 'status'
  | 'error'
  | 'created_at'
  | 'finished_at'
>;

/** The activities of an operation on nodes. */
export interface NewActivities {
  operationId: OperationId;
  tenantId: TenantId;
  divisionId: DivisionId;
  environmentId: EnvironmentId;
  deploymentId: DeploymentId;
  authorId: UserId | null;
  runtime: string;
  action: string;
  nodeIds: readonly NodeId[];
}

/** Which activities a list has. Missing members do not filter. */
export interface ActivityFilter {
  runtime?: string | undefined;
  status?: string | undefined;
  node?: NodeId | undefined;
}

const COLUMNS = `id, tenant_id, division_id, environment_id, deployment_id, author_id, runtime, action, node_id, status, error,
  created_at, finished_at`;
const LIST = paged('activity.list', {
  columns: COLUMNS,
  rows: `from activities where deployment_id = $1 and ${equalTo('runtime', 2)} and ${equalTo('status', 3)}
    and ($4::bigint is null or node_id = $4)`,
  id: 'id',
  keys: { created_at: byTime('created_at') },
});
const INSERT = statement(
  'activity.insert',
  `insert into activities (operation_id, tenant_id, division_id, environment_id, deployment_id, author_id, runtime, action, node_id)
   select $1, $2, $3, $4, $5, $6, $7, $8, node_id from unnest($9::bigint[]) with ordinality as n(node_id, place) order by place`,
);
const REJECT = statement(
  'activity.reject',
  `update activities set status = 'rejected', finished_at = now(), error = case when node_id = any($2::bigint[]) then $3 else $4 end
    where operation_id = $1 and status = 'processing'`,
);

/** Activities of deployments, newest first. */
@Injectable()
export class ActivitiesRepository {
  constructor(private readonly database: Database) {}

  async list(deploymentId: DeploymentId, filter: ActivityFilter, request: PageRequest): Promise<PageOf<ActivityRow>> {
    const values = [deploymentId, filter.runtime ?? null, filter.status ?? null, filter.node ?? null];
    return readPage<ActivityRow>(this.database, LIST, values, request);
  }

  /** One activity per node, in the order of the nodes. */
  async insert(activities: NewActivities): Promise<void> {
    const { operationId, tenantId, divisionId, environmentId, deploymentId, authorId, runtime, action } = activities;
    const values = [tenantId, divisionId, environmentId, deploymentId];
    await this.database.execute(INSERT, [operationId, ...values, authorId, runtime, action, activities.nodeIds]);
  }

  async complete(operationId: OperationId, nodeId: NodeId): Promise<void> {
    const processing = { operation_id: operationId, node_id: nodeId, status: 'processing' as const };
    const changes = { status: 'completed', finished_at: () => 'now()' } as const;
    await this.database.repository(Activity).update(processing, changes);
  }

  /** Ends the open activities of the operation. Failed nodes get `failed.error`, all other nodes get `others`. */
  async reject(operationId: OperationId, failed: { nodeIds: NodeId[]; error: string }, others: string): Promise<void> {
    await this.database.execute(REJECT, [operationId, failed.nodeIds, failed.error, others]);
  }
}
