import { Body, Delete, Get, Post } from '@nestjs/common';
import { Actor, PathId, Routes, type ActingCaller } from '@libs/http';
import { type Written, type PrivateConnectionId } from '@libs/domain';
import { InstructionsView } from './dto/instructions.view.js';
import { CreateVpcPeeringDto } from './dto/vpc-peering.dto.js';
import { VpcPeeringView } from './dto/vpc-peering.view.js';
import { CreatesConnection, DeletesConnection, ReadsConnections } from './private-connection-routes.js';
import { VpcPeeringsService } from './vpc-peerings.service.js';

@Routes('deployments/:deployment_id/network/aws/vpc_peering', 'Networking', { peering_id: 'The peering.' })
export class VpcPeeringsController {
  constructor(private readonly peerings: VpcPeeringsService) {}

  /**
   * Requests a peering from AWS with your VPC. The operation ends when AWS has accepted the request. The peering then
   * waits for your acceptance.
   */
  @Post()
  @CreatesConnection('peering', 'private_connections_limit')
  create(@Actor() actor: ActingCaller, @Body() dto: CreateVpcPeeringDto): Promise<Written> {
    return this.peerings.create(actor, dto);
  }

  /** Lists the VPC peerings of the deployment, newest first. */
  @Get()
  @ReadsConnections([VpcPeeringView])
  list(@Actor() actor: ActingCaller): Promise<VpcPeeringView[]> {
    return this.peerings.list(actor);
  }

  /** Returns your next steps for the current status of the peering, with every id that you type. */
  @Get(':peering_id/instructions')
  @ReadsConnections(InstructionsView)
  instructions(@Actor() actor: ActingCaller, @PathId() id: PrivateConnectionId): Promise<InstructionsView> {
    return this.peerings.instructions(actor, id);
  }

  /** Deletes the peering; routes and security groups in your VPC are yours to remove. */
  @Delete(':peering_id')
  @DeletesConnection()
  delete(@Actor() actor: ActingCaller, @PathId() id: PrivateConnectionId): Promise<Written> {
    return this.peerings.delete(actor, id);
  }
}
