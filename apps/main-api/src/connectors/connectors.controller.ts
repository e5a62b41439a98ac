import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  Accepts,
  Actor,
  Audited,
  FailsWith,
  Idempotent,
  InDeployment,
  LocatedAt,
  RequirePermission,
  ReturnsPageOf,
  WithinPlan,
  type ActingCaller,
  type Page,
} from '@libs/http';
import { type Written } from '@libs/domain';
import { ConnectorActivation } from './connector-activation.js';
import { ConnectorsService } from './connectors.service.js';
import { ActivateConnectorDto } from './dto/activate-connector.dto.js';
import { ConnectorInstanceView, ConnectorView } from './dto/connector.view.js';
import { ConnectorsQuery } from './dto/connectors.query.js';

@ApiTags('Connectors')
@Controller(
  'tenants/:tenant_id/divisions/:division_id/environments/:environment_id/deployments/:deployment_id/connectors',
)
export class ConnectorsController {
  constructor(
    private readonly connectors: ConnectorsService,
    private readonly activation: ConnectorActivation,
  ) {}

  /** Lists the catalogue of connectors: which the nodes have, which the plan includes, and which are activated. */
  @Get()
  @RequirePermission('deployment:connector:read')
  @InDeployment()
  @ReturnsPageOf(ConnectorView)
  @FailsWith('validation_failed')
  list(@Actor() actor: ActingCaller, @Query() query: ConnectorsQuery): Promise<Page<ConnectorView>> {
    return this.connectors.list(actor, query);
  }

  /**
   * Activates a connector with a disabled configuration. The connector starts its work when an enabled configuration
   * becomes active.
   */
  @Post('activate')
  @RequirePermission('deployment:connector:manage')
  @Idempotent()
  @Audited('connector_activated')
  @InDeployment()
  @Accepts(ConnectorInstanceView, 'deployment', 'connector-instance')
  @LocatedAt('/tenants/:tenant_id/operations/:operation')
  @WithinPlan('advanced_connectors_enabled')
  @FailsWith('connector_not_found', 'connector_unavailable', 'name_taken', 'state_conflict')
  activate(@Actor() actor: ActingCaller, @Body() dto: ActivateConnectorDto): Promise<Written<ConnectorInstanceView>> {
    return this.activation.activate(actor, dto);
  }
}
