import { Module } from '@nestjs/common';
import { MembersModule } from '../members/index.js';
import { TenantsModule } from '../tenants/index.js';
import { JoinAnswers } from './join-answers.js';
import { JoinRequestsController } from './join-requests.controller.js';
import { JoinRequestsService } from './join-requests.service.js';

@Module({
  imports: [TenantsModule, MembersModule],
  controllers: [JoinRequestsController],
  providers: [JoinRequestsService, JoinAnswers],
})
export class JoinRequestsModule {}
