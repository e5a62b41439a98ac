import { Module } from '@nestjs/common';
import { OperationFeed } from './operation-feed.js';
import { OperationGauges } from './operation-gauges.js';
import { OperationsController } from './operations.controller.js';
import { OperationsService } from './operations.service.js';

/** The operations API, a module of both apps. */
@Module({
  controllers: [OperationsController],
  providers: [OperationsService, OperationFeed, OperationGauges],
})
export class OperationsModule {}
