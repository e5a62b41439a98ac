import { Module } from '@nestjs/common';
import { OperationsController } from './operations.controller.js';
import { OperationsService } from './operations.service.js';

/** The operations API, a room that both apps have. */
@Module({ controllers: [OperationsController], providers: [OperationsService] })
export class OperationsModule {}
