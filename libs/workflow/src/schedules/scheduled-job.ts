import { Logger, type OnModuleInit } from '@nestjs/common';
import { milliseconds, type Duration } from '@libs/domain';

/** Where schedules are entered; the keeper is the one. */
export interface JobRegistry {
  add(schedule: ScheduledJob): void;
}

/**
 * Something that is done once a period by one of all worker processes, as a provider. What it finds to do stands in rows:
 * a run that is lost is made up for by the next one, and one that is doubled changes nothing.
 */
export abstract class ScheduledJob implements OnModuleInit {
  readonly everyMs: number;
  protected readonly logger: Logger;

  /** `name` is that of its row in `schedules`, and of its beat in the queue: one in all rooms of the app. */
  constructor(
    private readonly book: JobRegistry,
    readonly name: string,
    every: Duration,
  ) {
    this.everyMs = milliseconds(every);
    this.logger = new Logger(name);
  }

  onModuleInit(): void {
    this.book.add(this);
  }

  /** `stopping` aborts when the process ends: return soon, another process begins anew. */
  abstract run(stopping: AbortSignal): Promise<void>;
}
