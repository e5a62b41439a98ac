import { Module } from '@nestjs/common';
import { ActivitiesModule } from '../activities/index.js';
import { ConfigsController } from './configs.controller.js';
import { ConfigsService } from './configs.service.js';
import { ConnectorConfigsController } from './connector-configs.controller.js';
import { ConfigKinds } from './kinds/config-kinds.js';

@Module({
  imports: [ActivitiesModule],
  controllers: [ConfigsController, ConnectorConfigsController],
  providers: [ConfigsService, ConfigKinds],
})
export class ConfigsModule {}
