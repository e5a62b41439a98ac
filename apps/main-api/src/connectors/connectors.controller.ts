import { Body, Get, Post, Query } from '@nestjs/common';
import {
  Accepts,
  Actor,
  FailsWith,
  Lists,
  LocatedAt,
  Routes,
  WithinPlan,
  Writes,
  type ActingCaller,
  type Page,
} from '@libs/http';
import { type Written } from '@libs/domain';
import { ConnectorActivation } from './connector-activation.js';
import { ConnectorsService } from './connectors.service.js';
import { ActivateConnectorDto } from './dto/activate-connector.dto.js';
import { ConnectorInstanceView, ConnectorView } from './dto/connector.view.js';
import { ConnectorsQuery } from './dto/connectors.query.js';

@Routes(
  'tenants/:tenant_id/divisions/:division_id/environments/:environment_id/deployments/:deployment_id/connectors',
  'Connectors',
)
export class ConnectorsController {
  constructor(
    private readonly connectors: ConnectorsService,
    private readonly activation: ConnectorActivation,
  ) {}

  /** Lists the catalogue of connectors: which the nodes have, which the plan includes, and which are activated. */
  @Get()
  @Lists('deployment:connector:read', ConnectorView)
  list(@Actor() actor: ActingCaller, @Query() query: ConnectorsQuery): Promise<Page<ConnectorView>> {
    return this.connectors.list(actor, query);
  }

  /**
   * Activates a connector with a disabled configuration. The connector starts its work when an enabled configuration
   * becomes active.
   */
  @Post('activate')
  @Writes('deployment:connector:manage', 'connector_activated')
  @Accepts(ConnectorInstanceView, 'deployment', 'connector-instance')
  @LocatedAt('/tenants/:tenant_id/operations/:operation')
  @WithinPlan('advanced_connectors_enabled')
  @FailsWith('connector_not_found', 'connector_unavailable', 'name_taken', 'state_conflict')
  activate(@Actor() actor: ActingCaller, @Body() dto: ActivateConnectorDto): Promise<Written<ConnectorInstanceView>> {
    return this.activation.activate(actor, dto);
  }
}
