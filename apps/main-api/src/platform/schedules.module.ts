import { Global, Module } from '@nestjs/common';
import { Database } from '@libs/persistence';
import { JobTimer } from '@libs/queue';
import { JobScheduler } from '@libs/workflow';

/** Of this app alone: a bell takes out of its queue what the app does not know. */
const QUEUE = 'schedules.main_api';

/** Lets the rooms of worker processes have something done once a period. */
@Global()
@Module({
  providers: [
    {
      provide: JobScheduler,
      useFactory: (database: Database, timer: JobTimer) => new JobScheduler(database, timer, { queue: QUEUE }),
      inject: [Database, JobTimer],
    },
  ],
  exports: [JobScheduler],
})
export class SchedulesModule {}
