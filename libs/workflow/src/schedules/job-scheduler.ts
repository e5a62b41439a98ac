import type { Database } from '@libs/persistence';
import type { JobTimer } from '@libs/queue';
import { ScheduleStore, type TakenRun } from './job-store.js';
import type { ScheduledJob, JobRegistry } from './scheduled-job.js';
import { Reconciler } from '../reconciler.js';

export interface ScheduleOptions {
  /** The queue that rings for the schedules of this app. */
  queue: string;
  /** How often the rows are looked at. */
  lookMs?: number;
}

const LOOK_MS = 5_000;
/** A ring is on its way for what has just become due; what stayed silent for so long is done without. */
const SILENCE_SECONDS = 10;
/** Rings come by the clock of the queue and a little unevenly: one that comes before the row is due counts as that row's. */
const EARLY = { share: 0.25, mostSeconds: 60 } as const;
const RETRY_SECONDS = 300;
const LONGEST_ERROR = 1000;

/**
 * Runs each schedule once a period, however many processes there are: the queue rings one of them, and the row in
 * `schedules` decides. What nobody was rung for is found by looking, so a queue that is off or away costs some seconds. A
 * process does one run after the other; a run that fails is tried again after minutes, one that its process could not end,
 * because it was told to stop, at once by another.
 */
export class JobScheduler extends Reconciler implements JobRegistry {
  private readonly schedules = new Map<string, ScheduledJob>();
  private readonly store: ScheduleStore;
  private readonly wokenUp = new Set<string>();

  constructor(
    database: Database,
    private readonly timer: JobTimer,
    private readonly options: ScheduleOptions,
  ) {
    super('Schedules', options.lookMs ?? LOOK_MS);
    this.store = new ScheduleStore(database);
  }

  /** Before the application has started. @throws TypeError for a name that is taken */
  add(schedule: ScheduledJob): void {
    if (this.schedules.has(schedule.name)) throw new TypeError(`two schedules are named ${schedule.name}`);
    this.schedules.set(schedule.name, schedule);
  }

  override onApplicationBootstrap(): void {
    super.onApplicationBootstrap();
    this.timer.start(this.options.queue, [...this.schedules.values()], (name) => this.hear(name));
  }

  override async onModuleDestroy(): Promise<void> {
    this.timer.stop();
    await super.onModuleDestroy();
  }

  protected async pass(stopping: AbortSignal): Promise<void> {
    const wokenUp = new Set(this.wokenUp);
    this.wokenUp.clear();
    const schedules = [...this.schedules.values()];
    const overdue = await this.store.findOverdue(schedules, this.timer.wakeUps ? SILENCE_SECONDS : 0);
    for (const schedule of schedules) {
      if (stopping.aborted) return;
      const { name, everyMs } = schedule;
      if (!wokenUp.has(name) && !overdue.includes(name)) continue;
      const early = wokenUp.has(name) ? Math.min((everyMs / 1000) * EARLY.share, EARLY.mostSeconds) : 0;
      const taken = await this.store.take(name, everyMs, early);
      if (taken) await this.run(schedule, taken, stopping);
    }
  }

  /** Of a release that runs beside this one there may be names that this one does not know: they are that one's. */
  private hear(name: string): void {
    this.wokenUp.add(name);
    this.wakeUp();
  }

  private async run(schedule: ScheduledJob, taken: TakenRun, stopping: AbortSignal): Promise<void> {
    try {
      await schedule.run(stopping);
    } catch (error) {
      if (stopping.aborted) return this.store.fail(taken, null, 0);
      this.logger.error({ schedule: schedule.name, err: error as Error }, 'scheduled run failed, will be tried again');
      return this.store.fail(taken, String(error).slice(0, LONGEST_ERROR), RETRY_SECONDS);
    }
    if (stopping.aborted) return this.store.fail(taken, null, 0);
    await this.store.end(taken);
  }
}
