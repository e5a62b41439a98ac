import { Module } from '@nestjs/common';
import { PersistenceModule } from '@libs/persistence';
import { ConfigVersionsRepository, ConnectorInstancesRepository, RuntimesRepository } from '@libs/persistence/runtime';
import { ActivitiesModule } from '../activities/index.js';
import { ConfigsController } from './configs.controller.js';
import { ConfigsService } from './configs.service.js';
import { ConnectorConfigsController } from './connector-configs.controller.js';
import { ConfigKinds } from './kinds/config-kinds.js';

@Module({
  imports: [
    ActivitiesModule,
    PersistenceModule.forFeature([ConfigVersionsRepository, ConnectorInstancesRepository, RuntimesRepository]),
  ],
  controllers: [ConfigsController, ConnectorConfigsController],
  providers: [ConfigsService, ConfigKinds],
})
export class ConfigsModule {}
