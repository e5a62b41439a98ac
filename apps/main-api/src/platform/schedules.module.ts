import { Global, Module } from '@nestjs/common';
import { Database } from '@libs/persistence';
import { ScheduleBell } from '@libs/queue';
import { ScheduleKeeper } from '@libs/workflow';

/** Of this app alone: a bell takes out of its queue what the app does not know. */
const QUEUE = 'schedules.main_api';

/** Lets the rooms of worker processes have something done once a period. */
@Global()
@Module({
  providers: [
    {
      provide: ScheduleKeeper,
      useFactory: (database: Database, bell: ScheduleBell) => new ScheduleKeeper(database, bell, { queue: QUEUE }),
      inject: [Database, ScheduleBell],
    },
  ],
  exports: [ScheduleKeeper],
})
export class SchedulesModule {}
