import { Module } from '@nestjs/common';
import { PersistenceModule } from '@libs/persistence';
import {
  ConfigVersionsRepository,
  ConnectorInitialRowsRepository,
  ConnectorInstancesRepository,
  NodeDocumentsRepository,
  NodesRepository,
  RuntimesRepository,
} from '@libs/persistence/runtime';
import { DeploymentsRepository } from '@libs/persistence/organization';
import { TenantsModule } from '../tenants/index.js';
import { ConnectorActivation } from './connector-activation.js';
import { ConnectorsController } from './connectors.controller.js';
import { ConnectorsService } from './connectors.service.js';

@Module({
  imports: [
    TenantsModule,
    PersistenceModule.forFeature([
      ConfigVersionsRepository,
      ConnectorInitialRowsRepository,
      ConnectorInstancesRepository,
      DeploymentsRepository,
      NodeDocumentsRepository,
      NodesRepository,
      RuntimesRepository,
    ]),
  ],
  controllers: [ConnectorsController],
  providers: [ConnectorsService, ConnectorActivation],
})
export class ConnectorsModule {}
