import {
  DomainError,
  OPERATIONS,
  operationsQueue,
  type OperationType,
  type ApiKeyId,
  type ConnectorInstanceId,
  type DeploymentId,
  type DivisionId,
  type EnvironmentId,
  type OperationId,
  type TenantId,
  type UserId,
} from '@libs/domain';
import { statement, type Database } from '@libs/persistence';
import type { WakeUpQueue } from '@libs/queue';
import { START, SUPERSEDE } from './operation-statements.js';

/** The target and the author of an operation. */
export interface OperationRequest {
  type: OperationType;
  /** The cell whose workers run the operation. */
  cell: string;
  tenantId: TenantId;
  divisionId: DivisionId | null;
  environmentId: EnvironmentId | null;
  deploymentId: DeploymentId | null;
  authorId: UserId | null;
  apiKeyId: ApiKeyId | null;
  traceId: string;
  memo?: Record<string, unknown>;
}

/** The operation that a request may join. */
export interface Joined {
  actions: readonly string[];
  instanceId: ConnectorInstanceId | null;
}

interface Blocking {
  id: OperationId;
  type: string;
}

/** Longest time in seconds until a worker takes the operation. After this time there is no worker, and an incident opens. */
const TAKE_UP_SECONDS = 300;

/** Seconds until the request that met another operation may be repeated. */
const PACE_OF_OPERATIONS_SECONDS = 5;

const FIND_BLOCKING = statement(
  'operation.blocking',
  `select id, type from operations where deployment_id = $1 and changing and status in ('pending', 'running')`,
);
const FIND_OF_TYPE = statement(
  'operation.of_type',
  `select id, type from operations where deployment_id = $1 and type = $2 and status in ('pending', 'running')`,
);

// The row decides: an operation that has ended meanwhile is joined by nobody, and one that is joined reads it before its end.
const JOIN = statement(
  'operation.join',
  `update operations set memo = memo || jsonb_build_object('joins', coalesce((memo ->> 'joins')::int, 0) + 1)
    where deployment_id = $1 and type = $2 and status in ('pending', 'running') and cancel_reason is null and not undoing
      and memo ->> 'action' = any($3::text[]) and ($4::bigint is null or (memo ->> 'instance_id')::bigint = $4)
   returning id`,
);
const FIND_SAME = statement(
  'operation.same',
  `select id from operations where deployment_id = $1 and type = $2 and status in ('pending', 'running') and cancel_reason is null
      and not undoing and memo @> $3::jsonb`,
);
const JOINS = statement(
  'operation.joins',
  `select coalesce((memo ->> 'joins')::int, 0) as joins from operations where deployment_id = $1 and id = $2`,
);

const SIGNAL = statement(
  'operation.signal',
  `with held as materialized (
     select id from operations where deployment_id = any($1::bigint[]) and status in ('pending', 'running') order by id for no key update
   )
   update operations o set signal_seq = signal_seq + 1, wake_at = least(wake_at, now())
     from held where o.id = held.id and o.status in ('pending', 'running') returning o.id, o.queue`,
);

/** Starts long work and signals changes to it. Runs in the caller's transaction and wakes up workers after the commit. */
export class Operations {
  constructor(
    private readonly database: Database,
    private readonly wakeUps: WakeUpQueue,
  ) {}

  /**
   * Opens an operation at its first step. A worker of its queue runs it.
   * @throws DomainError state_conflict naming the conflicting operation
   */
  async start(request: OperationRequest): Promise<OperationId> {
    const { changing, firstStep } = OPERATIONS[request.type];
    const queue = operationsQueue(request.cell);
    const [row] = await this.database.query<{ id: OperationId }>(START, [
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
      TAKE_UP_SECONDS,
    ]);
    if (!row) throw await this.conflict(request.deploymentId, changing ? null : request.type);
    this.database.afterCommit(() => this.wakeUps.wakeUp(queue, row.id));
    return row.id;
  }

  /**
   * Cancels every open operation of the deployment: deletion has priority. Returns the seconds, by the database's
   * clock, in which a worker may still change external systems: the rest of the longest lease.
   */
  async supersede(deploymentId: DeploymentId, reason: string): Promise<number> {
    const ended = await this.database.query<{ id: OperationId; busy_seconds: number | null }>(SUPERSEDE, [
      deploymentId,
      reason,
    ]);
    return Math.max(0, ...ended.map(({ busy_seconds }) => busy_seconds ?? 0));
  }

  /** Wakes the waiting operations of the deployment: a condition that they wait for may have changed. */
  async signal(...deploymentIds: DeploymentId[]): Promise<void> {
    if (deploymentIds.length === 0) return;
    const woken = await this.database.query<{ id: OperationId; queue: string }>(SIGNAL, [deploymentIds]);
    this.database.afterCommit(() => {
      for (const { id, queue } of woken) this.wakeUps.wakeUp(queue, id);
    });
  }

  /**
   * For callers with further checks after this one. `start` decides finally: another operation may start between the
   * two calls.
   * @throws DomainError state_conflict naming the operation that is changing the deployment
   */
  async requireIdle(deploymentId: DeploymentId): Promise<void> {
    const blocking = await this.findBlocking(deploymentId);
    if (blocking) throw conflictWith(blocking);
  }

  /** @throws DomainError state_conflict naming the operation of this type that runs for the deployment */
  async requireNone(deploymentId: DeploymentId, type: OperationType): Promise<void> {
    const running = await this.findBlocking(deploymentId, type);
    if (running) throw conflictWith(running);
  }

  /** Returns the refusal that names the operation in the way: the one that changes the deployment, or the one of this type. */
  async conflict(deploymentId: DeploymentId | null, type: OperationType | null = null): Promise<DomainError> {
    return conflictWith(await this.findBlocking(deploymentId, type));
  }

  /**
   * Joins a running operation of the type that does one of the actions: it will do the work of the request, too. With `instance_id` only
   * the operation for this instance. Returns its id, or null when there is none.
   */
  async join(deploymentId: DeploymentId, type: OperationType, work: Joined): Promise<OperationId | null> {
    const values = [deploymentId, type, work.actions, work.instanceId];
    return (await this.database.first<{ id: OperationId }>(JOIN, values))?.id ?? null;
  }

  /** Returns the running operation of the type with this input, or null when there is none. */
  async findSame(deploymentId: DeploymentId, type: OperationType, memo: object): Promise<OperationId | null> {
    return (
      (await this.database.first<{ id: OperationId }>(FIND_SAME, [deploymentId, type, JSON.stringify(memo)]))?.id ??
      null
    );
  }

  /** How many requests have joined the operation. */
  async joins(deploymentId: DeploymentId, id: OperationId): Promise<number> {
    const [row] = await this.database.query<{ joins: number }>(JOINS, [deploymentId, id]);
    return row?.joins ?? 0;
  }

  private async findBlocking(
    deploymentId: DeploymentId | null,
    type: OperationType | null = null,
  ): Promise<Blocking | null> {
    const [blocking] =
      type === null
        ? await this.database.query<Blocking>(FIND_BLOCKING, [deploymentId])
        : await this.database.query<Blocking>(FIND_OF_TYPE, [deploymentId, type]);
    return blocking ?? null;
  }
}

const conflictWith = (blocking: Blocking | null): DomainError =>
  new DomainError('state_conflict', 'Another operation of this deployment is running.', {
    members: { operation_id: blocking?.id ?? null, operation_type: blocking?.type ?? null },
    ...(blocking && { retryAfterSeconds: PACE_OF_OPERATIONS_SECONDS }),
  });
