import { Module } from '@nestjs/common';
import { PersistenceModule } from '@libs/persistence';
import { TasksRepository } from '@libs/persistence/runtime';
import { ActivitiesModule } from '../activities/index.js';
import { TasksController } from './tasks.controller.js';
import { TasksService } from './tasks.service.js';

@Module({
  imports: [ActivitiesModule, PersistenceModule.forFeature([TasksRepository])],
  controllers: [TasksController],
  providers: [TasksService],
})
export class TasksModule {}
