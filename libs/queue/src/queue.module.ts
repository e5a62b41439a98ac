import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Global, Injectable, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { isOff, queueConnection, type QueueOptions } from './bullmq-backend.js';
import { BullmqDoorbell } from './bullmq-doorbell.js';
import { BullmqScheduleBell } from './bullmq-schedule-bell.js';
import { Doorbell, SilentDoorbell } from './doorbell.js';
import { ScheduleBell, SilentScheduleBell } from './schedule-bell.js';

@Injectable()
class DoorbellLifecycle implements OnApplicationShutdown {
  constructor(
    private readonly doorbell: Doorbell,
    private readonly scheduleBell: ScheduleBell,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.scheduleBell.close();
    if (this.doorbell instanceof BullmqDoorbell) await this.doorbell.close();
  }
}

/** The bells for every room, and the connection for the processors of the app. */
@Global()
@Module({})
export class QueueModule {
  static forRoot(options: QueueOptions): DynamicModule {
    const logger = new Logger('Queue');
    const off = isOff(options);
    const connection = off ? undefined : queueConnection(options);
    const doorbell = connection
      ? new BullmqDoorbell(connection, (error) => logger.warn('ring failed', error))
      : new SilentDoorbell();
    const scheduleBell = connection
      ? new BullmqScheduleBell(connection, (error) => logger.warn('schedules are not rung', error))
      : new SilentScheduleBell();
    return {
      module: QueueModule,
      imports: connection ? [BullModule.forRoot({ connection })] : [],
      providers: [
        { provide: Doorbell, useValue: doorbell },
        { provide: ScheduleBell, useValue: scheduleBell },
        DoorbellLifecycle,
      ],
      exports: [Doorbell, ScheduleBell],
    };
  }

  /** Lets the processors of a queue find their worker; a module that has processors imports it. */
  static forProcessorsOf(queue: string): DynamicModule {
    return BullModule.registerQueue({ name: queue });
  }
}
