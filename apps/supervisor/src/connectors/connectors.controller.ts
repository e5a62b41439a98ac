import { Controller, Delete, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ConnectorInstanceId } from '@libs/domain';
import {
  Actor,
  Audited,
  FailsWith,
  InTransaction,
  NoContent,
  OfDeployment,
  OfTheDeployment,
  PathId,
  RequirePermission,
  Returns,
  type ActingCaller,
} from '@libs/http';
import { ConnectorsService } from './connectors.service.js';
import { ConnectorInstanceView } from './dto/connector-instance.view.js';

@ApiTags('Connectors')
@Controller('deployments/:deployment_id/connectors/instances')
export class ConnectorsController {
  constructor(private readonly connectors: ConnectorsService) {}

  /** Lists the activated connectors, in the order of their activation. */
  @Get()
  @RequirePermission('deployment:connector:read')
  @OfDeployment()
  @Returns([ConnectorInstanceView])
  list(@Actor() actor: ActingCaller): Promise<ConnectorInstanceView[]> {
    return this.connectors.list(actor);
  }

  /** Stops an instance and removes it from all nodes, with its configurations. Its key can be used again. */
  @Delete(':connector_instance_id')
  @RequirePermission('deployment:connector:manage')
  @InTransaction()
  @Audited('connector_deleted')
  @OfTheDeployment('connector_instance', 'The instance.')
  @NoContent()
  @FailsWith('state_conflict')
  delete(@Actor() actor: ActingCaller, @PathId('connector_instance_id') id: ConnectorInstanceId): Promise<void> {
    return this.connectors.delete(actor, id);
  }
}
