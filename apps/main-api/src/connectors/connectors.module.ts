import { Module } from '@nestjs/common';
import { TenantsModule } from '../tenants/index.js';
import { ConnectorActivation } from './connector-activation.js';
import { ConnectorsController } from './connectors.controller.js';
import { ConnectorsService } from './connectors.service.js';

@Module({
  imports: [TenantsModule],
  controllers: [ConnectorsController],
  providers: [ConnectorsService, ConnectorActivation],
})
export class ConnectorsModule {}
