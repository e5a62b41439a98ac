import { Module } from '@nestjs/common';
import { PersistenceModule } from '@libs/persistence';
import { AccessRulesRepository, NodeDocumentsRepository, RuntimesRepository } from '@libs/persistence/runtime';
import { AccessRulesController } from './access-rules.controller.js';
import { AccessRulesService } from './access-rules.service.js';

@Module({
  imports: [PersistenceModule.forFeature([AccessRulesRepository, NodeDocumentsRepository, RuntimesRepository])],
  controllers: [AccessRulesController],
  providers: [AccessRulesService],
})
export class AccessRulesModule {}
