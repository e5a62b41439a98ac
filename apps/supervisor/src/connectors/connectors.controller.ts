import { Delete, Get } from '@nestjs/common';
import type { ConnectorInstanceId } from '@libs/domain';
import { Actor, FailsWith, PathId, Reads, Routes, Writes, type ActingCaller } from '@libs/http';
import { ConnectorsService } from './connectors.service.js';
import { ConnectorInstanceView } from './dto/connector-instance.view.js';

@Routes('deployments/:deployment_id/connectors/instances', 'Connectors', { connector_instance_id: 'The instance.' })
export class ConnectorsController {
  constructor(private readonly connectors: ConnectorsService) {}

  /** Lists the activated connectors, in the order of their activation. */
  @Get()
  @Reads('deployment:connector:read', [ConnectorInstanceView])
  list(@Actor() actor: ActingCaller): Promise<ConnectorInstanceView[]> {
    return this.connectors.list(actor);
  }

  /** Stops an instance and removes it from all nodes, with its configurations. Its key can be used again. */
  @Delete(':connector_instance_id')
  @Writes('deployment:connector:manage', 'connector_deleted')
  @FailsWith('state_conflict')
  delete(@Actor() actor: ActingCaller, @PathId() id: ConnectorInstanceId): Promise<void> {
    return this.connectors.delete(actor, id);
  }
}
