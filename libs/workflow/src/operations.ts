import { DomainError, OPERATIONS, operationsQueue, type OperationType } from '@libs/domain';
import { statement, type Database } from '@libs/persistence';
import type { Doorbell } from '@libs/queue';

/** What an operation is about and who asked for it. */
export interface OperationRequest {
  type: OperationType;
  /** The cell whose workers do it. */
  cell: string;
  tenantId: number;
  divisionId: number | null;
  environmentId: number | null;
  deploymentId: number | null;
  authorId: number | null;
  apiKeyId: number | null;
  traceId: string;
  memo?: Record<string, unknown>;
}

const START = statement(
  'operation.start',
  `insert into operations (type, queue, tenant_id, division_id, environment_id, deployment_id, changing, step, memo,
                           author_id, api_key_id, trace_id)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10, $11, $12)
   on conflict (deployment_id) where changing and status in ('pending', 'running') do nothing
   returning id`,
);

const FIND_BLOCKING = statement(
  'operation.blocking',
  `select id, type from operations where deployment_id = $1 and changing and status in ('pending', 'running')`,
);

// The lease is left as it is: who works under it finds its writes refused, and the deletion waits for its end.
const SUPERSEDE = statement(
  'operation.supersede',
  `with ended as (
     update operations set status = 'cancelled', reason = $2, finished_at = now()
      where deployment_id = $1 and status in ('pending', 'running')
      returning id, step, step_seq, attempt, step_started_at, lease_until
   ), history as (
     insert into operation_steps (operation_id, seq, name, status, attempts, started_at, finished_at)
     select id, step_seq, step, 'cancelled', attempt, step_started_at, now() from ended
   )
   select id, greatest(0, extract(epoch from lease_until - now()))::float8 as busy_seconds,
          pg_notify('landlord_operations', id::text) from ended`,
);

const SIGNAL = statement(
  'operation.signal',
  `update operations set signal_seq = signal_seq + 1, wake_at = least(wake_at, now())
    where deployment_id = $1 and status in ('pending', 'running') returning id, queue`,
);

/** Asks for long work and tells it of changes; runs in the caller's transaction, rings after its commit. */
export class Operations {
  constructor(
    private readonly database: Database,
    private readonly doorbell: Doorbell,
  ) {}

  /**
   * Opens an operation at its first step; whoever works its queue runs it.
   * @throws DomainError state_conflict naming the operation in the way
   */
  async start(request: OperationRequest): Promise<number> {
    const { changing, firstStep } = OPERATIONS[request.type];
    const queue = operationsQueue(request.cell);
    const [row] = await this.database.query<{ id: number }>(START, [
      request.type,
      queue,
      request.tenantId,
      request.divisionId,
      request.environmentId,
      request.deploymentId,
      changing,
      firstStep,
      JSON.stringify(request.memo ?? {}),
      request.authorId,
      request.apiKeyId,
      request.traceId,
    ]);
    if (!row) throw await this.conflict(request.deploymentId);
    this.database.afterCommit(() => this.doorbell.ring(queue, row.id));
    return row.id;
  }

  /**
   * Cancels everything that is under way on the deployment: deletion wins. Answers for how many seconds, by the
   * database's clock, the last of it may still be writing to the outside world: the rest of its lease.
   */
  async supersede(deploymentId: number, reason: string): Promise<number> {
    const ended = await this.database.query<{ busy_seconds: number | null }>(SUPERSEDE, [deploymentId, reason]);
    return Math.max(0, ...ended.map(({ busy_seconds }) => busy_seconds ?? 0));
  }

  /** Wakes what waits on the deployment: something it may be waiting for has changed. */
  async signal(deploymentId: number): Promise<void> {
    const woken = await this.database.query<{ id: number; queue: string }>(SIGNAL, [deploymentId]);
    this.database.afterCommit(() => {
      for (const { id, queue } of woken) this.doorbell.ring(queue, id);
    });
  }

  /** The refusal that names the operation in the way. */
  async conflict(deploymentId: number | null): Promise<DomainError> {
    const [blocking] = await this.database.query<{ id: number; type: string }>(FIND_BLOCKING, [deploymentId]);
    return new DomainError('state_conflict', 'Another operation is changing this deployment.', {
      members: { operation_id: blocking?.id ?? null, operation_type: blocking?.type ?? null },
    });
  }
}
