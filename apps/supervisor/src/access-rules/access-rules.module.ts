import { Module } from '@nestjs/common';
import { AccessRulesController } from './access-rules.controller.js';
import { AccessRulesService } from './access-rules.service.js';

@Module({
  controllers: [AccessRulesController],
  providers: [AccessRulesService],
})
export class AccessRulesModule {}
