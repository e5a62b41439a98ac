import { statement, type Database } from '@libs/persistence';
import type { Doorbell } from '@libs/queue';
import type { WorkflowLog } from './workflow-log.js';

export interface SweeperOptions {
  /** The queues whose workers run in this process. */
  queues: readonly string[];
  /** Moves an operation in this process, without a ring. */
  run: (operationId: number) => Promise<void>;
  /** Whether there is a queue to ring through. */
  hasQueue: boolean;
  periodMs?: number;
}

interface Due {
  id: number;
  queue: string;
  overdue_seconds: number;
}

const BATCH = 200;
/** A ring is on its way for whatever has just become due; ring only for what stayed silent. */
const SILENCE_SECONDS = 1;
/** Rung for so long without anybody coming: the queue is away, and the rows are all that is needed. */
const DEAF_SECONDS = 10;
const DIRECT_CONCURRENCY = 20;

const FIND_DUE = statement(
  'sweeper.due',
  `select id, queue, extract(epoch from now() - greatest(wake_at, lease_until))::float8 as overdue_seconds from operations
    where queue = any($1) and status in ('pending', 'running') and wake_at <= now() - make_interval(secs => $2)
      and (lease_until is null or lease_until < now())
    order by wake_at limit ${BATCH}`,
);

const OPEN_INCIDENTS = statement(
  'sweeper.incidents',
  `with late as (
     select id, step from operations
      where queue = any($1) and status in ('pending', 'running') and deadline < now() and incident_id is null
      limit ${BATCH} for update skip locked
   ), opened as (
     insert into incidents (kind, subject, operation_id, detail)
     select 'step_deadline_missed', 'operation ' || id || ' step ' || step, id, 'step ' || step || ' missed its deadline' from late
     on conflict (kind, subject) where closed_at is null do update set detail = excluded.detail
     returning id, operation_id
   )
   update operations o set incident_id = opened.id from opened where o.id = opened.operation_id
   returning o.id, o.step`,
);

/**
 * Standing truth: whatever is due moves, whatever is late is known. Takes no input, looks at all rows of its queues,
 * and is safe to run in any number of processes: the lease decides who works.
 */
export class Sweeper {
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;
  private pass: Promise<void> = Promise.resolve();
  private readonly running = new Set<number>();

  constructor(
    private readonly database: Database,
    private readonly doorbell: Doorbell,
    private readonly log: WorkflowLog,
    private readonly options: SweeperOptions,
  ) {}

  start(): void {
    this.schedule(0);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.pass;
  }

  private schedule(afterMs: number): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.pass = this.sweep()
        .catch((error: unknown) => this.log.interrupted(0, error))
        .then(() => this.schedule((this.options.periodMs ?? 1000) * (0.8 + Math.random() * 0.4)));
    }, afterMs);
  }

  /** One pass over everything that is due or late. */
  async sweep(): Promise<void> {
    const silence = this.options.hasQueue ? SILENCE_SECONDS : 0;
    for (const due of await this.database.query<Due>(FIND_DUE, [this.options.queues, silence])) this.wake(due);
    const late = await this.database.query<{ id: number; step: string }>(OPEN_INCIDENTS, [this.options.queues]);
    for (const { id, step } of late) this.log.incident(id, step);
  }

  private wake({ id, queue, overdue_seconds }: Due): void {
    if (this.options.hasQueue && overdue_seconds < DEAF_SECONDS) return this.doorbell.ring(queue, id);
    if (this.running.has(id) || this.running.size >= DIRECT_CONCURRENCY) return;
    this.running.add(id);
    void this.options.run(id).finally(() => this.running.delete(id));
  }
}
