import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  Actor,
  Audited,
  FailsWith,
  Idempotent,
  InTransaction,
  NoContent,
  OfDeployment,
  OfTheDeployment,
  PathId,
  RequirePermission,
  Returns,
  WithinPlan,
  type ActingCaller,
} from '@libs/http';
import { type Written } from '@libs/domain';
import { CreateEndpointServiceDto } from './dto/endpoint-service.dto.js';
import { EndpointServiceView } from './dto/endpoint-service.view.js';
import { EndpointServicesService } from './endpoint-services.service.js';

@ApiTags('Networking')
@Controller('deployments/:deployment_id/network/aws/private_link')
export class EndpointServicesController {
  constructor(private readonly services: EndpointServicesService) {}

  /** Creates an endpoint service for the deployment. Interface endpoints in other VPCs use its name. */
  @Post()
  @RequirePermission('deployment:network:manage')
  @Idempotent()
  @Audited('private_connection_created')
  @OfDeployment()
  @NoContent('service', 'operation')
  @WithinPlan('private_networking_enabled', 'private_endpoints_limit')
  @FailsWith('private_networking_not_supported', 'name_taken', 'state_conflict')
  create(@Actor() actor: ActingCaller, @Body() dto: CreateEndpointServiceDto): Promise<Written> {
    return this.services.create(actor, dto);
  }

  /** Lists the endpoint services of the deployment, newest first. */
  @Get()
  @RequirePermission('deployment:network:read')
  @OfDeployment()
  @Returns([EndpointServiceView])
  @FailsWith('private_networking_not_supported')
  list(@Actor() actor: ActingCaller): Promise<EndpointServiceView[]> {
    return this.services.list(actor);
  }

  /** Deletes the endpoint service; endpoints of consumers stop working. */
  @Delete(':service_id')
  @RequirePermission('deployment:network:manage')
  @InTransaction()
  @Audited('private_connection_deleted')
  @OfTheDeployment('service', 'The endpoint service.')
  @NoContent('operation')
  @FailsWith('private_networking_not_supported', 'state_conflict')
  delete(@Actor() actor: ActingCaller, @PathId('service_id') id: number): Promise<Written> {
    return this.services.delete(actor, id);
  }
}
