import type { AuditType, DeploymentId, IncidentId, OperationId, TenantId } from '@libs/domain';
import { statement } from '@libs/persistence';
import type { Operation } from '@libs/persistence/operator';
import type { OperationStepRow } from '@libs/persistence/platform';
import { OperatorRequests, RequestRefused, type RequestedOperation } from '@libs/workflow';
import { contextOfDeployment, tenantContext } from './operator-journal.js';
import { existing, OperatorRefused } from './operator-refused.js';
import type { OperatorSession } from './operator-session.js';

/** An operation of any tenant as operator commands show it. */
export interface OperatorOperation extends Pick<
  Operation,
  | 'id'
  | 'type'
  | 'tenant_id'
  | 'deployment_id'
  | 'status'
  | 'step'
  | 'attempt'
  | 'undoing'
  | 'wake_at'
  | 'deadline'
  | 'lease_until'
  | 'last_error'
  | 'reason'
  | 'skip_step'
  | 'cancel_reason'
  | 'incident_id'
  | 'queue'
  | 'trace_id'
  | 'created_at'
  | 'started_at'
  | 'finished_at'
> {
  /** The wait reason that the step reports. Null when the step does not wait or reports no reason. */
  waits_for: string | null;
}

/** An operation with its steps and its incident. */
export interface OperatorOperationDetail extends OperatorOperation {
  steps: OperationStepRow[];
  incident: { id: IncidentId; kind: string; detail: string; opened_at: string; closed_at: string | null } | null;
}

export interface OperatorOperationFilter {
  tenantId: TenantId | null;
  deploymentId: DeploymentId | null;
  status: string | null;
  type: string | null;
  limit: number;
}

/** The newest event of an open operation, if it is a wait. */
export const WAITS_FOR = `case when o.status in ('pending', 'running') then (
  select case when e.event = 'waiting' then e.detail end from operation_events e
   where e.operation_id = o.id order by e.seq desc limit 1) end`;

const COLUMNS = `o.id, o.type, o.tenant_id, o.deployment_id, o.status, o.step, o.attempt, o.undoing, o.wake_at, o.deadline,
  o.lease_until, o.last_error, o.reason, o.skip_step, o.cancel_reason, o.incident_id, o.queue, o.trace_id, o.created_at,
  o.started_at, o.finished_at, ${WAITS_FOR} as waits_for`;

const LIST = statement(
  'operator.operations',
  `select ${COLUMNS} from operations o
    where ($1::bigint is null or o.tenant_id = $1) and ($2::bigint is null or o.deployment_id = $2)
      and ($3::text is null or o.status = $3) and ($4::text is null or o.type = $4)
    order by o.id desc limit $5`,
);
const FIND = statement(
  'operator.operation',
  `select ${COLUMNS}, to_jsonb(i) - 'subject' - 'operation_id' as incident,
          coalesce((select jsonb_agg(jsonb_build_object('name', s.name, 'status', s.status, 'attempts', s.attempts,
                      'started_at', s.started_at, 'finished_at', s.finished_at, 'error', s.error) order by s.seq)
                      from operation_steps s where s.operation_id = o.id), '[]') as steps
     from operations o left join incidents i on i.id = o.incident_id where o.id = $1`,
);

type Act = 'retry' | 'skip' | 'cancel';

const AUDITS: Record<Act, AuditType> = {
  retry: 'operation_retried',
  skip: 'operation_step_skipped',
  cancel: 'operation_cancelled',
};

/** Operations of all tenants: reads them, and requests a retry, skip or cancellation from the runner. */
export class OperationCommands {
  private readonly requests: OperatorRequests;

  constructor(private readonly session: OperatorSession) {
    this.requests = new OperatorRequests(session.database);
  }

  /** Newest first. */
  list(filter: OperatorOperationFilter): Promise<OperatorOperation[]> {
    const { tenantId, deploymentId, status, type, limit } = filter;
    return this.session.database.query<OperatorOperation>(LIST, [tenantId, deploymentId, status, type, limit]);
  }

  /** @throws OperatorRefused */
  async get(id: OperationId): Promise<OperatorOperationDetail> {
    const [operation] = await this.session.database.query<OperatorOperationDetail>(FIND, [id]);
    return existing(operation, 'operation', id, 'landlord ops operations list');
  }

  /** Retries the current step with a new count of attempts. @throws OperatorRefused */
  retry(id: OperationId): Promise<RequestedOperation> {
    return this.act('retry', id, () => this.requests.retry(id));
  }

  /** Skips the current step. @throws OperatorRefused */
  skip(id: OperationId): Promise<RequestedOperation> {
    return this.act('skip', id, () => this.requests.skip(id));
  }

  /** Cancels the operation and undoes its steps. @throws OperatorRefused */
  cancel(id: OperationId, reason: string): Promise<RequestedOperation> {
    return this.act('cancel', id, () => this.requests.cancel(id, reason), reason);
  }

  private async act(
    act: Act,
    id: OperationId,
    request: () => Promise<RequestedOperation>,
    reason?: string,
  ): Promise<RequestedOperation> {
    try {
      return await this.session.database.transaction(async () => {
        const operation = await request();
        await this.record(act, operation, reason);
        return operation;
      });
    } catch (error) {
      throw error instanceof RequestRefused ? new OperatorRefused(error.message, { cause: error }) : error;
    }
  }

  private async record(act: Act, operation: RequestedOperation, reason?: string): Promise<void> {
    const { id, type, step, tenant_id, deployment_id } = operation;
    const place = deployment_id && (await contextOfDeployment(this.session.database, deployment_id));
    const data = { operation_id: id, type, step, ...(reason && { reason }) };
    await this.session.journal.record({
      verb: `operations ${act}`,
      subject: `operation ${id}`,
      detail: data,
      audit: {
        type: AUDITS[act],
        context: place || tenantContext(tenant_id),
        data,
        traceId: operation.trace_id,
      },
    });
  }
}
