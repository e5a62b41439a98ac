import { Module } from '@nestjs/common';
import { ActivitiesController } from './activities.controller.js';
import { ActivitiesService } from './activities.service.js';
import { ActivityRequests } from './activity-requests.js';

@Module({
  controllers: [ActivitiesController],
  providers: [ActivitiesService, ActivityRequests],
  exports: [ActivityRequests],
})
export class ActivitiesModule {}
