import { Module } from '@nestjs/common';
import { SupervisorTokensController } from './supervisor-tokens.controller.js';
import { SupervisorTokensService } from './supervisor-tokens.service.js';

@Module({
  controllers: [SupervisorTokensController],
  providers: [SupervisorTokensService],
})
export class SupervisorTokensModule {}
