import { Body, Delete, Get, Post } from '@nestjs/common';
import { Actor, PathId, Routes, type ActingCaller } from '@libs/http';
import { type Written, type PrivateConnectionId } from '@libs/domain';
import { CreateEndpointServiceDto } from './dto/endpoint-service.dto.js';
import { EndpointServiceView } from './dto/endpoint-service.view.js';
import { CreatesConnection, DeletesConnection, ReadsConnections } from './private-connection-routes.js';
import { EndpointServicesService } from './endpoint-services.service.js';

@Routes('deployments/:deployment_id/network/aws/private_link', 'Networking', { service_id: 'The endpoint service.' })
export class EndpointServicesController {
  constructor(private readonly services: EndpointServicesService) {}

  /** Creates an endpoint service for the deployment. Interface endpoints in other VPCs use its name. */
  @Post()
  @CreatesConnection('service', 'private_endpoints_limit')
  create(@Actor() actor: ActingCaller, @Body() dto: CreateEndpointServiceDto): Promise<Written> {
    return this.services.create(actor, dto);
  }

  /** Lists the endpoint services of the deployment, newest first. */
  @Get()
  @ReadsConnections([EndpointServiceView])
  list(@Actor() actor: ActingCaller): Promise<EndpointServiceView[]> {
    return this.services.list(actor);
  }

  /** Deletes the endpoint service; endpoints of consumers stop working. */
  @Delete(':service_id')
  @DeletesConnection()
  delete(@Actor() actor: ActingCaller, @PathId() id: PrivateConnectionId): Promise<Written> {
    return this.services.delete(actor, id);
  }
}
