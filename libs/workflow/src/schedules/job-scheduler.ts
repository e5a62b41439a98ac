import { outageOf } from '@libs/domain';
import type { Database } from '@libs/persistence';
import type { JobTimer } from '@libs/queue';
import { JobStore, type TakenRun } from './job-store.js';
import type { ScheduledJob, JobRegistry } from './scheduled-job.js';
import { Reconciler } from '../reconciler.js';

export interface JobSchedulerOptions {
  /** The queue that wakes up this app for its schedules. */
  queue: string;
  /** Interval between two reads of the rows. */
  lookMs?: number;
}

const LOOK_MS = 5_000;
/** A wake-up for a schedule that has just become due is on its way. After this time the schedule runs without a wake-up. */
const SILENCE_SECONDS = 10;
/** Wake-ups follow the clock of the queue and are not exact. A wake-up before the row is due counts for that row. */
const EARLY = { share: 0.25, mostSeconds: 60 } as const;
const RETRY_SECONDS = 300;
const LONGEST_ERROR = 1000;

/**
 * Runs each schedule once in a period over all processes: the queue wakes up one process, and the row in `schedules`
 * decides. Schedules without a wake-up are found by reading the rows, so a missing queue costs some seconds. A process
 * runs one schedule after the other. A failed run is repeated after some minutes. If a stopping process interrupts a
 * run, another process repeats the run at once.
 */
export class JobScheduler extends Reconciler implements JobRegistry {
  private readonly jobs = new Map<string, ScheduledJob>();
  private readonly store: JobStore;
  private readonly dueNames = new Set<string>();

  constructor(
    database: Database,
    private readonly timer: JobTimer,
    private readonly options: JobSchedulerOptions,
  ) {
    super('Schedules', options.lookMs ?? LOOK_MS);
    this.store = new JobStore(database);
  }

  /** Must be called before the application starts. @throws TypeError for a name that is already used */
  add(job: ScheduledJob): void {
    if (this.jobs.has(job.name)) throw new TypeError(`two schedules are named ${job.name}`);
    this.jobs.set(job.name, job);
  }

  override onApplicationBootstrap(): void {
    super.onApplicationBootstrap();
    this.timer.start(this.options.queue, [...this.jobs.values()], (name) => this.hear(name));
  }

  override async onModuleDestroy(): Promise<void> {
    this.timer.stop();
    await super.onModuleDestroy();
  }

  protected async pass(stopping: AbortSignal): Promise<void> {
    const dueNames = new Set(this.dueNames);
    this.dueNames.clear();
    const jobs = [...this.jobs.values()];
    const overdue = await this.store.findOverdue(jobs, this.timer.sendsWakeUps ? SILENCE_SECONDS : 0);
    for (const job of jobs) {
      if (stopping.aborted) return;
      const { name, everyMs } = job;
      if (!dueNames.has(name) && !overdue.includes(name)) continue;
      const early = dueNames.has(name) ? Math.min((everyMs / 1000) * EARLY.share, EARLY.mostSeconds) : 0;
      const run = await this.store.take(name, everyMs, early);
      if (run) await this.run(job, run, stopping);
    }
  }

  /**
   * A newer release may run at the same time and have schedules that this release does not contain. That release runs
   * them.
   */
  private hear(name: string): void {
    this.dueNames.add(name);
    this.wakeUp();
  }

  private async run(job: ScheduledJob, run: TakenRun, stopping: AbortSignal): Promise<void> {
    try {
      await job.run(stopping);
    } catch (error) {
      if (stopping.aborted) return this.store.fail(run, null, 0);
      // The end of an outage needs nobody. Another failure is a defect of the job.
      const level = outageOf(error) === null ? 'error' : 'warn';
      this.logger[level]({ schedule: job.name, err: error as Error }, 'scheduled run failed, will be tried again');
      return this.store.fail(run, String(error).slice(0, LONGEST_ERROR), RETRY_SECONDS);
    }
    if (stopping.aborted) return this.store.fail(run, null, 0);
    await this.store.end(run);
  }
}
