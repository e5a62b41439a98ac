import { Module } from '@nestjs/common';
import { PersistenceModule } from '@libs/persistence';
import {
  ActivitiesRepository,
  ConfigsRepository,
  ConnectorInstancesRepository,
  NodesRepository,
  RuntimesRepository,
} from '@libs/persistence/runtime';
import { ActivitiesController } from './activities.controller.js';
import { ActivitiesService } from './activities.service.js';
import { ActivityRequests } from './activity-requests.js';

@Module({
  imports: [
    PersistenceModule.forFeature([
      ActivitiesRepository,
      ConfigsRepository,
      ConnectorInstancesRepository,
      NodesRepository,
      RuntimesRepository,
    ]),
  ],
  controllers: [ActivitiesController],
  providers: [ActivitiesService, ActivityRequests],
  exports: [ActivityRequests],
})
export class ActivitiesModule {}
