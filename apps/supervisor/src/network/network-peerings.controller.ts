import { Body, Delete, Get, Post } from '@nestjs/common';
import { Actor, PathId, Routes, type ActingCaller } from '@libs/http';
import { type Written, type PrivateConnectionId } from '@libs/domain';
import { InstructionsView } from './dto/instructions.view.js';
import { CreateNetworkPeeringDto } from './dto/network-peering.dto.js';
import { NetworkPeeringView } from './dto/network-peering.view.js';
import { CreatesConnection, DeletesConnection, ReadsConnections } from './private-connection-routes.js';
import { NetworkPeeringsService } from './network-peerings.service.js';

@Routes('deployments/:deployment_id/network/gcp/vpc_peering', 'Networking', { peering_id: 'The peering.' })
export class NetworkPeeringsController {
  constructor(private readonly peerings: NetworkPeeringsService) {}

  /** Creates our half of a peering with your VPC network. The peering stays inactive until you create your half. */
  @Post()
  @CreatesConnection('peering', 'private_connections_limit')
  create(@Actor() actor: ActingCaller, @Body() dto: CreateNetworkPeeringDto): Promise<Written> {
    return this.peerings.create(actor, dto);
  }

  /** Lists the VPC peerings of the deployment, newest first. */
  @Get()
  @ReadsConnections([NetworkPeeringView])
  list(@Actor() actor: ActingCaller): Promise<NetworkPeeringView[]> {
    return this.peerings.list(actor);
  }

  /** Returns your next steps for the current state of the peering, with every id that you type. */
  @Get(':peering_id/instructions')
  @ReadsConnections(InstructionsView)
  instructions(@Actor() actor: ActingCaller, @PathId() id: PrivateConnectionId): Promise<InstructionsView> {
    return this.peerings.instructions(actor, id);
  }

  /** Removes our half of the peering; yours is yours to remove. */
  @Delete(':peering_id')
  @DeletesConnection()
  delete(@Actor() actor: ActingCaller, @PathId() id: PrivateConnectionId): Promise<Written> {
    return this.peerings.delete(actor, id);
  }
}
