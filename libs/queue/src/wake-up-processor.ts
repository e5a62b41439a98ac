import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject, type Type } from '@nestjs/common';
import type { Job } from 'bullmq';

/** Answers a ring: looks at the operation and moves it as far as it goes. */
export abstract class WakeUpHandler {
  abstract run(operationId: number): Promise<void>;
}

const CONCURRENCY = 20;

/** The processor of one queue; a class for each, because @nestjs/bullmq binds a queue to a class. */
export function wakeUpProcessor(queue: string): Type<WorkerHost> {
  @Processor({ name: queue }, { concurrency: CONCURRENCY, removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } })
  class WakeUpProcessor extends WorkerHost {
    constructor(@Inject(WakeUpHandler) private readonly handler: WakeUpHandler) {
      super();
    }

    async process(job: Job<{ id: number }>): Promise<void> {
      await this.handler.run(job.data.id);
    }
  }
  return WakeUpProcessor;
}
