import { Global, Module } from '@nestjs/common';
import { Database } from '@libs/persistence';
import { JobTimer } from '@libs/queue';
import { JobScheduler } from '@libs/workflow';

/** Only this app uses this queue, because a `JobTimer` removes jobs from its queue that the app does not have. */
const QUEUE = 'schedules.main_api';

/** Runs periodic work for the modules of worker processes. */
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
