import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject, Logger, type Type } from '@nestjs/common';
import type { Job } from 'bullmq';
import type { OperationId } from '@libs/domain';
import pLimit from 'p-limit';
import { WORKER } from './bullmq-backend.js';
import type { WakeUpJob } from './wake-up-queue.js';

/** Processes a wake-up: reads the operation and moves it as far as possible. */
export abstract class WakeUpHandler {
  abstract run(operationId: OperationId): Promise<void>;
}

/** Jobs, and operations of all jobs, that one process handles at once. */
const CONCURRENCY = 50;

/** Returns the processor of one queue. Each queue needs its own class, because @nestjs/bullmq binds a queue to a class. */
export function wakeUpProcessor(queue: string): Type<WorkerHost> {
  @Processor({ name: queue }, { ...WORKER, concurrency: CONCURRENCY })
  class WakeUpProcessor extends WorkerHost {
    private readonly limit = pLimit(CONCURRENCY);
    private readonly logger = new Logger('Queue');

    constructor(@Inject(WakeUpHandler) private readonly handler: WakeUpHandler) {
      super();
    }

    /** Without a listener, BullMQ writes the error to the console. */
    @OnWorkerEvent('error')
    tell(error: Error): void {
      this.logger.warn({ queue, err: error }, 'no jobs can be taken, will be tried again');
    }

    async process({ data }: Job<WakeUpJob>): Promise<void> {
      await Promise.all(data.ids.map((id) => this.limit(() => this.handler.run(id))));
    }
  }
  return WakeUpProcessor;
}
