import { setTimeout as delay } from 'node:timers/promises';
import { databasePause } from '@libs/domain/processes';
import { Queue, Worker, type ConnectionOptions } from 'bullmq';
import { WORKER } from './bullmq-backend.js';
import { JobTimer, type JobPeriod } from './job-timer.js';

/** Finished jobs are not kept. */
const TEMPLATE = { attempts: 1, removeOnComplete: true, removeOnFail: true } as const;

/**
 * Wakes up processes with BullMQ's job schedulers. Each of them creates one job per period for all processes together.
 * The job only reports that a schedule is due, and ends at once. So no run has a lock of the queue. A failed or slow
 * run cannot stop the scheduler from creating its next job.
 */
export class BullmqJobTimer extends JobTimer {
  readonly sendsWakeUps = true;
  private queue: Queue | undefined;
  private worker: Worker | undefined;
  private readonly stopping = new AbortController();

  constructor(
    private readonly connection: ConnectionOptions,
    private readonly failed: (error: unknown) => void,
  ) {
    super();
  }

  start(name: string, periods: readonly JobPeriod[], onDue: (name: string) => void): void {
    const { connection } = this;
    this.queue = new Queue(name, { connection });
    this.queue.on('error', this.tell);
    this.worker = new Worker(name, async (job) => this.pass(job.name, onDue), {
      connection,
      ...WORKER,
      concurrency: 1,
    });
    this.worker.on('error', this.tell);
    void this.retryReplacing(this.queue, periods);
  }

  stop(): void {
    this.stopping.abort();
  }

  async close(): Promise<void> {
    this.stop();
    await Promise.all([this.worker?.close(), this.queue?.close()]);
  }

  /** Ignores wake-ups while the process stops: other processes find the due schedules in the rows. */
  private pass(name: string, onDue: (name: string) => void): void {
    if (!this.stopping.signal.aborted) onDue(name);
  }

  /**
   * The queue stores schedulers without a limit, so schedulers that the code no longer contains are removed. Another
   * release that runs at the same time may lose a scheduler this way; it then finds due schedules in its rows. Existing
   * schedulers are created again: this restarts a scheduler whose last job was lost with its process.
   */
  private async replaceSchedulers(queue: Queue, periods: readonly JobPeriod[]): Promise<void> {
    const names = new Set(periods.map(({ name }) => name));
    for (const { key } of await queue.getJobSchedulers()) if (!names.has(key)) await queue.removeJobScheduler(key);
    for (const { name, everyMs } of periods)
      await queue.upsertJobScheduler(name, { every: everyMs }, { name, opts: TEMPLATE });
  }

  /** The queue may be away at the start. */
  private async retryReplacing(queue: Queue, periods: readonly JobPeriod[]): Promise<void> {
    const pause = databasePause();
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        return await this.replaceSchedulers(queue, periods);
      } catch (error) {
        this.tell(error);
        await delay(pause.next(), undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** Errors of a connection that is being closed are not logged. */
  private readonly tell = (error: unknown): void => {
    if (!this.stopping.signal.aborted) this.failed(error);
  };
}
