import { Logger, type OnModuleInit } from '@nestjs/common';
import { milliseconds, type Duration } from '@libs/domain';

/** The registry of jobs. The scheduler implements it. */
export interface JobRegistry {
  add(job: ScheduledJob): void;
}

/**
 * Periodic work that one of all worker processes does, as a provider. Each run reads its work from rows. So the next
 * run repairs a lost run, and a repeated run changes nothing.
 */
export abstract class ScheduledJob implements OnModuleInit {
  readonly everyMs: number;
  protected readonly logger: Logger;

  /** `name` is the name of its row in `schedules` and of its job scheduler in the queue. It must be unique in the app. */
  constructor(
    private readonly registry: JobRegistry,
    readonly name: string,
    every: Duration,
  ) {
    this.everyMs = milliseconds(every);
    this.logger = new Logger(name);
  }

  onModuleInit(): void {
    this.registry.add(this);
  }

  /** `stopping` aborts when the process stops. Then `run` must return soon; another process repeats the run. */
  abstract run(stopping: AbortSignal): Promise<void>;
}
