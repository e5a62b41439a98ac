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
import { CreateVpcPeeringDto } from './dto/vpc-peering.dto.js';
import { VpcPeeringView } from './dto/vpc-peering.view.js';
import { VpcPeeringsService } from './vpc-peerings.service.js';

@ApiTags('Networking')
@Controller('deployments/:deployment_id/network/aws/vpc_peering')
export class VpcPeeringsController {
  constructor(private readonly peerings: VpcPeeringsService) {}

  /**
   * Requests a peering from AWS with your VPC. The operation ends when AWS has accepted the request. The peering then
   * waits for your acceptance.
   */
  @Post()
  @RequirePermission('deployment:network:manage')
  @Idempotent()
  @Audited('private_connection_created')
  @OfDeployment()
  @NoContent('peering', 'operation')
  @WithinPlan('private_networking_enabled', 'private_connections_limit')
  @FailsWith('private_networking_not_supported', 'name_taken', 'state_conflict')
  create(@Actor() actor: ActingCaller, @Body() dto: CreateVpcPeeringDto): Promise<Written> {
    return this.peerings.create(actor, dto);
  }

  /** Lists the VPC peerings of the deployment, newest first. */
  @Get()
  @RequirePermission('deployment:network:read')
  @OfDeployment()
  @Returns([VpcPeeringView])
  @FailsWith('private_networking_not_supported')
  list(@Actor() actor: ActingCaller): Promise<VpcPeeringView[]> {
    return this.peerings.list(actor);
  }

  /** Returns your next steps for the current status of the peering, with every id that you type. */
  @Get(':peering_id/instructions')
  @RequirePermission('deployment:network:read')
  @OfTheDeployment('peering', 'The peering.')
  @Returns(InstructionsView)
  @FailsWith('private_networking_not_supported')
  instructions(@Actor() actor: ActingCaller, @PathId('peering_id') id: number): Promise<InstructionsView> {
    return this.peerings.instructions(actor, id);
  }

  /** Deletes the peering; routes and security groups in your VPC are yours to remove. */
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
