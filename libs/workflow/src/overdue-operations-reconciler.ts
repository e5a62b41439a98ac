import type { OperationId } from '@libs/domain';
import type { Database } from '@libs/persistence';
import type { WakeUpQueue } from '@libs/queue';
import { FIND_DUE, IS_BUSY, OPEN_INCIDENTS } from './operation-statements.js';
import { Periodic } from './schedules/periodic.js';
import type { WorkflowLog } from './workflow-log.js';

export interface OverdueOperationsOptions {
  /** The queues whose workers run in this process. */
  queues: readonly string[];
  /** Moves an operation in this process, without a wake-up. */
  run: (operationId: OperationId) => Promise<void>;
  /** Whether a queue for wake-ups exists. */
  hasQueue: boolean;
  periodMs?: number;
}

interface Due {
  id: OperationId;
  queue: string;
  overdue_seconds: number;
}

/** A wake-up for an operation that has just become due is on its way. Only later operations get another wake-up. */
const SILENCE_SECONDS = 1;
/** After this time without a reaction to wake-ups the queue counts as unavailable, and this process uses only the rows. */
const DEAF_SECONDS = 10;
/** Time in which a queue that was unavailable is not used. */
const DISTRUST_MS = 60_000;
const DIRECT_CONCURRENCY = 20;
/** The period grows by this factor while no operation is pending or running. */
const QUIET = 5;

/**
 * Moves every due operation and opens an incident for every late one. A pass takes no input and reads all rows of its
 * queues. It is safe in any number of processes: the lease decides which worker runs an operation.
 */
export class OverdueOperationsReconciler {
  private readonly periodic: Periodic;
  private readonly running = new Set<OperationId>();
  private distrustUntil = 0;

  constructor(
    private readonly database: Database,
    private readonly wakeUps: WakeUpQueue,
    private readonly log: WorkflowLog,
    private readonly options: OverdueOperationsOptions,
  ) {
    this.periodic = new Periodic({
      pass: () => this.pass(),
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

  /** Runs one pass over all operations that are due or late. */
  async sweep(): Promise<void> {
    const silence = this.options.hasQueue ? SILENCE_SECONDS : 0;
    for (const due of await this.database.query<Due>(FIND_DUE, [this.options.queues, silence])) this.wake(due);
    const late = await this.database.query<{ id: OperationId; step: string }>(OPEN_INCIDENTS, [this.options.queues]);
    for (const { id, step } of late) this.log.incident(id, step);
  }

  /** Without a queue for wake-ups, only these passes find new operations, so they never become rarer. */
  private async pass(): Promise<number | void> {
    await this.sweep();
    if (!this.options.hasQueue) return;
    const [row] = await this.database.query<{ is_busy: boolean }>(IS_BUSY, [this.options.queues]);
    if (row?.is_busy === false) return (this.options.periodMs ?? 1000) * QUIET;
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
