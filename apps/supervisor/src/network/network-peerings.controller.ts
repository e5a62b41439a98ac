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
import { InstructionsView } from './dto/instructions.view.js';
import { CreateNetworkPeeringDto } from './dto/network-peering.dto.js';
import { NetworkPeeringView } from './dto/network-peering.view.js';
import { NetworkPeeringsService } from './network-peerings.service.js';

@ApiTags('Networking')
@Controller('deployments/:deployment_id/network/gcp/vpc_peering')
export class NetworkPeeringsController {
  constructor(private readonly peerings: NetworkPeeringsService) {}

  /** Creates our half of a peering with your VPC network. The peering stays inactive until you create your half. */
  @Post()
  @RequirePermission('deployment:network:manage')
  @Idempotent()
  @Audited('private_connection_created')
  @OfDeployment()
  @NoContent('peering', 'operation')
  @WithinPlan('private_networking_enabled', 'private_connections_limit')
  @FailsWith('private_networking_not_supported', 'name_taken', 'state_conflict')
  create(@Actor() actor: ActingCaller, @Body() dto: CreateNetworkPeeringDto): Promise<Written> {
    return this.peerings.create(actor, dto);
  }

  /** Lists the VPC peerings of the deployment, newest first. */
  @Get()
  @RequirePermission('deployment:network:read')
  @OfDeployment()
  @Returns([NetworkPeeringView])
  @FailsWith('private_networking_not_supported')
  list(@Actor() actor: ActingCaller): Promise<NetworkPeeringView[]> {
    return this.peerings.list(actor);
  }

  /** Returns your next steps for the current state of the peering, with every id that you type. */
  @Get(':peering_id/instructions')
  @RequirePermission('deployment:network:read')
  @OfTheDeployment('peering', 'The peering.')
  @Returns(InstructionsView)
  @FailsWith('private_networking_not_supported')
  instructions(@Actor() actor: ActingCaller, @PathId('peering_id') id: number): Promise<InstructionsView> {
    return this.peerings.instructions(actor, id);
  }

  /** Removes our half of the peering; yours is yours to remove. */
  @Delete(':peering_id')
  @RequirePermission('deployment:network:manage')
  @InTransaction()
  @Audited('private_connection_deleted')
  @OfTheDeployment('peering', 'The peering.')
  @NoContent('operation')
  @FailsWith('private_networking_not_supported', 'state_conflict')
  delete(@Actor() actor: ActingCaller, @PathId('peering_id') id: number): Promise<Written> {
    return this.peerings.delete(actor, id);
  }
}
