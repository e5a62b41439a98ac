import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject, type Type } from '@nestjs/common';
import type { Job } from 'bullmq';
import type { OperationId } from '@libs/domain';

/** Processes a wake-up: reads the operation and moves it as far as possible. */
export abstract class WakeUpHandler {
  abstract run(operationId: OperationId): Promise<void>;
}

const CONCURRENCY = 20;

/** Returns the processor of one queue. Each queue needs its own class, because @nestjs/bullmq binds a queue to a class. */
export function wakeUpProcessor(queue: string): Type<WorkerHost> {
  @Processor({ name: queue }, { concurrency: CONCURRENCY, removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } })
  class WakeUpProcessor extends WorkerHost {
    constructor(@Inject(WakeUpHandler) private readonly handler: WakeUpHandler) {
      super();
    }

    async process(job: Job<{ id: OperationId }>): Promise<void> {
      await this.handler.run(job.data.id);
    }
  }
  return WakeUpProcessor;
}
