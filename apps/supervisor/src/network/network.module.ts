import { Module } from '@nestjs/common';
import { EndpointServicesController } from './endpoint-services.controller.js';
import { EndpointServicesService } from './endpoint-services.service.js';
import { NetworkController } from './network.controller.js';
import { NetworkService } from './network.service.js';
import { NetworkPeeringsController } from './network-peerings.controller.js';
import { NetworkPeeringsService } from './network-peerings.service.js';
import { PrivateConnections } from './private-connections.js';
import { ServiceAttachmentsController } from './service-attachments.controller.js';
import { ServiceAttachmentsService } from './service-attachments.service.js';
import { VpcPeeringsController } from './vpc-peerings.controller.js';
import { VpcPeeringsService } from './vpc-peerings.service.js';

@Module({
  controllers: [
    NetworkController,
    VpcPeeringsController,
    EndpointServicesController,
    NetworkPeeringsController,
    ServiceAttachmentsController,
  ],
  providers: [
    ...[NetworkService, PrivateConnections, VpcPeeringsService, EndpointServicesService],
    ...[NetworkPeeringsService, ServiceAttachmentsService],
  ],
})
export class NetworkModule {}
