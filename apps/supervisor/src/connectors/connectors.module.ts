import { Module } from '@nestjs/common';
import { ConnectorsController } from './connectors.controller.js';
import { ConnectorsService } from './connectors.service.js';
import { DeadLettersController } from './dead-letters.controller.js';
import { DeadLettersService } from './dead-letters.service.js';
import { NodeQuestions } from './node-questions.js';

@Module({
  controllers: [ConnectorsController, DeadLettersController],
  providers: [ConnectorsService, DeadLettersService, NodeQuestions],
})
export class ConnectorsModule {}
