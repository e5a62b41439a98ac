import { statement, type Database } from '@libs/persistence';
import type { Doorbell } from '@libs/queue';
import type { WorkflowLog } from './workflow-log.js';

export interface SweeperOptions {
  /** The queues whose workers run in this process. */
  queues: readonly string[];
  /** With the queue off the sweeper runs what it finds by itself. */
  runDirectly: ((operationId: number) => Promise<void>) | null;
  periodMs?: number;
}

const BATCH = 200;
/** A ring is on its way for whatever has just become due; ring only for what stayed silent. */
const SILENCE_SECONDS = 1;
const DIRECT_CONCURRENCY = 20;

const FIND_DUE = statement(
  'sweeper.due',
  `select id, queue from operations
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
    const silence = this.options.runDirectly ? 0 : SILENCE_SECONDS;
    const due = await this.database.query<{ id: number; queue: string }>(FIND_DUE, [this.options.queues, silence]);
    for (const { id, queue } of due) this.wake(id, queue);
    const late = await this.database.query<{ id: number; step: string }>(OPEN_INCIDENTS, [this.options.queues]);
    for (const { id, step } of late) this.log.incident(id, step);
  }

  private wake(id: number, queue: string): void {
    const { runDirectly } = this.options;
    if (!runDirectly) return this.doorbell.ring(queue, id);
    if (this.running.has(id) || this.running.size >= DIRECT_CONCURRENCY) return;
    this.running.add(id);
    void runDirectly(id).finally(() => this.running.delete(id));
  }
}
