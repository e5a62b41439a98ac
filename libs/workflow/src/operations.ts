import { DomainError, OPERATIONS, operationsQueue, type OperationType } from '@libs/domain';
import { statement, type Database } from '@libs/persistence';
import type { WakeUpQueue } from '@libs/queue';
import { START, SUPERSEDE } from './operation-statements.js';

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

interface Blocking {
  id: number;
  type: string;
}

/** Longest time until a worker takes the operation up, in seconds; then nobody is there for it: an incident. */
const TAKE_UP_SECONDS = 300;

const FIND_BLOCKING = statement(
  'operation.blocking',
  `select id, type from operations where deployment_id = $1 and changing and status in ('pending', 'running')`,
);
const FIND_OF_TYPE = statement(
  'operation.of_type',
  `select id, type from operations where deployment_id = $1 and type = $2 and status in ('pending', 'running')`,
);

const SIGNAL = statement(
  'operation.signal',
  `with held as materialized (
     select id from operations where deployment_id = any($1::bigint[]) and status in ('pending', 'running') order by id for no key update
   )
   update operations o set signal_seq = signal_seq + 1, wake_at = least(wake_at, now())
     from held where o.id = held.id and o.status in ('pending', 'running') returning o.id, o.queue`,
);

/** Asks for long work and tells it of changes; runs in the caller's transaction, rings after its commit. */
export class Operations {
  constructor(
    private readonly database: Database,
    private readonly wakeUps: WakeUpQueue,
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
      TAKE_UP_SECONDS,
    ]);
    if (!row) throw await this.conflict(request.deploymentId, changing ? null : request.type);
    this.database.afterCommit(() => this.wakeUps.wakeUp(queue, row.id));
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
  async signal(...deploymentIds: number[]): Promise<void> {
    if (deploymentIds.length === 0) return;
    const woken = await this.database.query<{ id: number; queue: string }>(SIGNAL, [deploymentIds]);
    this.database.afterCommit(() => {
      for (const { id, queue } of woken) this.wakeUps.wakeUp(queue, id);
    });
  }

  /**
   * For those who have more to refuse after this. `start` has the last word: another may be opened in between.
   * @throws DomainError state_conflict naming the operation that is changing the deployment
   */
  async requireIdle(deploymentId: number): Promise<void> {
    const blocking = await this.findBlocking(deploymentId);
    if (blocking) throw conflictWith(blocking);
  }

  /** The refusal that names the operation in the way: the one that changes the deployment, or the one of this type. */
  async conflict(deploymentId: number | null, type: OperationType | null = null): Promise<DomainError> {
    return conflictWith(await this.findBlocking(deploymentId, type));
  }

  private async findBlocking(deploymentId: number | null, type: OperationType | null = null): Promise<Blocking | null> {
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
  });
