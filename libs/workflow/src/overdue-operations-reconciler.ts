import type { Database } from '@libs/persistence';
import type { WakeUpQueue } from '@libs/queue';
import { FIND_DUE, OPEN_INCIDENTS } from './operation-statements.js';
import { Periodic } from './schedules/periodic.js';
import type { WorkflowLog } from './workflow-log.js';

export interface OverdueOperationsOptions {
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

/** A ring is on its way for whatever has just become due; ring only for what stayed silent. */
const SILENCE_SECONDS = 1;
/** Rung for so long without anybody coming: the queue is away, and the rows are all that is needed. */
const DEAF_SECONDS = 10;
/** For so long nothing more is expected of a queue that was away. */
const DISTRUST_MS = 60_000;
const DIRECT_CONCURRENCY = 20;

/**
 * Standing truth: whatever is due moves, whatever is late is known. Takes no input, looks at all rows of its queues,
 * and is safe to run in any number of processes: the lease decides who works.
 */
export class OverdueOperationsReconciler {
  private readonly periodic: Periodic;
  private readonly running = new Set<number>();
  private distrustUntil = 0;

  constructor(
    private readonly database: Database,
    private readonly wakeUps: WakeUpQueue,
    private readonly log: WorkflowLog,
    private readonly options: OverdueOperationsOptions,
  ) {
    this.periodic = new Periodic({
      pass: () => this.sweep(),
      everyMs: options.periodMs ?? 1000,
      failed: (error) => this.log.interrupted(0, error),
    });
  }

  start(): void {
    this.periodic.start();
  }

  stop(): Promise<void> {
    return this.periodic.stop();
  }

  /** One pass over everything that is due or late. */
  async sweep(): Promise<void> {
    const silence = this.options.hasQueue ? SILENCE_SECONDS : 0;
    for (const due of await this.database.query<Due>(FIND_DUE, [this.options.queues, silence])) this.wake(due);
    const late = await this.database.query<{ id: number; step: string }>(OPEN_INCIDENTS, [this.options.queues]);
    for (const { id, step } of late) this.log.incident(id, step);
  }

  private wake({ id, queue, overdue_seconds }: Due): void {
    const isDeaf = overdue_seconds >= DEAF_SECONDS;
    if (isDeaf) this.distrustUntil = Date.now() + DISTRUST_MS;
    if (this.options.hasQueue && Date.now() >= this.distrustUntil) return this.wakeUps.wakeUp(queue, id);
    if (this.running.has(id) || this.running.size >= DIRECT_CONCURRENCY) return;
    this.running.add(id);
    void this.options.run(id).finally(() => this.running.delete(id));
  }
}
