import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Actor, PathId, type ActingCaller } from '@libs/http';
import { type Written, type PrivateConnectionId } from '@libs/domain';
import { CreateEndpointServiceDto } from './dto/endpoint-service.dto.js';
import { EndpointServiceView } from './dto/endpoint-service.view.js';
import { CreatesConnection, DeletesConnection, ListsConnections } from './private-connection-routes.js';
import { EndpointServicesService } from './endpoint-services.service.js';

@ApiTags('Networking')
@Controller('deployments/:deployment_id/network/aws/private_link')
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
  @ListsConnections(EndpointServiceView)
  list(@Actor() actor: ActingCaller): Promise<EndpointServiceView[]> {
    return this.services.list(actor);
  }

  /** Deletes the endpoint service; endpoints of consumers stop working. */
  @Delete(':service_id')
  @DeletesConnection('service', 'The endpoint service.')
  delete(@Actor() actor: ActingCaller, @PathId('service_id') id: PrivateConnectionId): Promise<Written> {
    return this.services.delete(actor, id);
  }
}
