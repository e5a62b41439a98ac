import { Module } from '@nestjs/common';
import { PersistenceModule } from '@libs/persistence';
import {
  ConnectorInstancesRepository,
  NodeDocumentsRepository,
  NodeRequestsRepository,
  NodesRepository,
  RuntimesRepository,
} from '@libs/persistence/runtime';
import { ConnectorsController } from './connectors.controller.js';
import { ConnectorsService } from './connectors.service.js';
import { DeadLettersController } from './dead-letters.controller.js';
import { DeadLettersService } from './dead-letters.service.js';
import { NodeQuestions } from './node-questions.js';

@Module({
  imports: [
    PersistenceModule.forFeature([
      ConnectorInstancesRepository,
      NodeDocumentsRepository,
      NodeRequestsRepository,
      NodesRepository,
      RuntimesRepository,
    ]),
  ],
  controllers: [ConnectorsController, DeadLettersController],
  providers: [ConnectorsService, DeadLettersService, NodeQuestions],
})
export class ConnectorsModule {}
