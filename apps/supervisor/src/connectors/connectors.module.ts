import { Module } from '@nestjs/common';
import { PersistenceModule } from '@libs/persistence';
import { ConnectorInstancesRepository, NodeDocumentsRepository, RuntimesRepository } from '@libs/persistence/runtime';
import { ConnectorsController } from './connectors.controller.js';
import { ConnectorsService } from './connectors.service.js';

@Module({
  imports: [PersistenceModule.forFeature([ConnectorInstancesRepository, NodeDocumentsRepository, RuntimesRepository])],
  controllers: [ConnectorsController],
  providers: [ConnectorsService],
})
export class ConnectorsModule {}
