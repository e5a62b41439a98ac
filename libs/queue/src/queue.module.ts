import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Global, Injectable, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { isOff, queueConnection, type QueueOptions } from './bullmq-backend.js';
import { BullmqWakeUpQueue } from './bullmq-wake-up-queue.js';
import { BullmqJobTimer } from './bullmq-job-timer.js';
import { WakeUpQueue, SilentWakeUpQueue } from './wake-up-queue.js';
import { JobTimer, SilentJobTimer } from './job-timer.js';

@Injectable()
class WakeUpQueueLifecycle implements OnApplicationShutdown {
  constructor(
    private readonly wakeUps: WakeUpQueue,
    private readonly jobTimer: JobTimer,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.jobTimer.close();
    if (this.wakeUps instanceof BullmqWakeUpQueue) await this.wakeUps.close();
  }
}

/** The queues for every module, and the connection for the processors of the app. */
@Global()
@Module({})
export class QueueModule {
  static forRoot(options: QueueOptions): DynamicModule {
    const logger = new Logger('Queue');
    const off = isOff(options);
    const connection = off ? undefined : queueConnection(options);
    const wakeUps = connection
      ? new BullmqWakeUpQueue(connection, (error) => logger.warn('wake-ups could not be sent', error))
      : new SilentWakeUpQueue();
    const jobTimer = connection
      ? new BullmqJobTimer(connection, (error) => logger.warn('schedules get no wake-ups', error))
      : new SilentJobTimer();
    return {
      module: QueueModule,
      imports: connection ? [BullModule.forRoot({ connection })] : [],
      providers: [
        { provide: WakeUpQueue, useValue: wakeUps },
        { provide: JobTimer, useValue: jobTimer },
        WakeUpQueueLifecycle,
      ],
      exports: [WakeUpQueue, JobTimer],
    };
  }

  /** Registers the worker of a queue. A module with processors imports this. */
  static forProcessorsOf(queue: string): DynamicModule {
    return BullModule.registerQueue({ name: queue });
  }
}
