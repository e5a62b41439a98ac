import { Injectable } from '@nestjs/common';
import type { Reach, DeploymentId, IncidentId, OperationId, TenantId } from '@libs/domain';
import { statement, Database } from '../database.js';
import { AWAY } from '../living-cell.js';
import { byTime, paged, readPage, type PageOf, type PageRequest } from '../page-of.js';
import type { Operation } from './entities/operation.entity.js';

/** One step of an operation's history. It is read as JSON, so its times are texts. */
export interface OperationStepRow {
  name: string;
  status: string;
  attempts: number;
  started_at: string | null;
  finished_at: string | null;
  error: string | null;
}

/** An operation as the API shows it. */
export interface OperationDetail extends Pick<
  Operation,
  | 'id'
  | 'type'
  | 'status'
  | 'deployment_id'
  | 'step'
  | 'attempt'
  | 'undoing'
  | 'step_started_at'
  | 'last_error'
  | 'reason'
  | 'author_id'
  | 'created_at'
  | 'started_at'
  | 'finished_at'
  | 'wake_at'
> {
  incident: { id: IncidentId; kind: string; detail: string; opened_at: string } | null;
  steps: OperationStepRow[];
}

export interface OperationFilter {
  tenantId: TenantId;
  reach: Reach;
  deploymentId: DeploymentId | null;
  type: string | null;
  status: string | null;
}

// An operation whose Supervisor is away waits for it, and the Supervisor cannot write this itself.
const REASON = `coalesce(o.reason, case when o.status in ('pending', 'running') then
  (select ${AWAY} from deployments d left join cells c on c.cell = d.cell where d.id = o.deployment_id) end) as reason`;
const COLUMNS = `o.id, o.type, o.status, o.deployment_id, o.step, o.attempt, o.undoing, o.step_started_at, o.last_error, ${REASON},
  o.author_id, o.created_at, o.started_at, o.finished_at, o.wake_at,
  (select jsonb_build_object('id', i.id, 'kind', i.kind, 'detail', i.detail, 'opened_at', i.opened_at)
     from incidents i where i.id = o.incident_id) as incident,
  coalesce((select jsonb_agg(jsonb_build_object('name', s.name, 'status', s.status, 'attempts', s.attempts,
              'started_at', s.started_at, 'finished_at', s.finished_at, 'error', s.error) order by s.seq)
              from operation_steps s where s.operation_id = o.id), '[]') as steps`;
const VISIBLE = `o.tenant_id = $1 and ($2 or o.division_id = any($3::bigint[]) or o.environment_id = any($4::bigint[]))`;
const FILTERED = `${VISIBLE} and ($5::bigint is null or o.deployment_id = $5) and ($6::text is null or o.type = $6)
  and ($7::text is null or o.status = $7)`;

const FIND = statement('operation.find', `select ${COLUMNS} from operations o where ${VISIBLE} and o.id = $5`);
const LIST = paged('operation.list', {
  columns: 'o.*',
  isLarge: true,
  rows: `from operations o where ${FILTERED}`,
  id: 'o.id',
  keys: { created_at: byTime('o.created_at') },
  around: (page, order) => `select ${COLUMNS}, o.total, o.cursor_value, o.cursor_id from (${page}) o ${order}`,
});

/** Operations that the caller may read. */
@Injectable()
export class OperationsRepository {
  constructor(private readonly database: Database) {}

  async find(tenantId: TenantId, reach: Reach, id: OperationId): Promise<OperationDetail | null> {
    const values = [tenantId, reach.all, reach.divisions, reach.environments, id];
    return this.database.first<OperationDetail>(FIND, values);
  }

  async list(filter: OperationFilter, request: PageRequest): Promise<PageOf<OperationDetail>> {
    const { tenantId, reach, deploymentId, type, status } = filter;
    const values = [tenantId, reach.all, reach.divisions, reach.environments, deploymentId, type, status];
    return readPage<OperationDetail>(this.database, LIST, values, request);
  }
}
