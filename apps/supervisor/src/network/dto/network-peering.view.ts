import { ApiProperty } from '@nestjs/swagger';
import { ApiId } from '@libs/http';

export const NETWORK_PEERING_STATES = ['inactive', 'active', 'deleted'] as const;
export type NetworkPeeringState = (typeof NETWORK_PEERING_STATES)[number];

/** Our half of a peering on Google Cloud (C-22.6): active once you have made yours. */
export class NetworkPeeringView {
  @ApiId('The peering.')
  id: number;

  /** As it was named. */
  name: string;

  /** Your VPC network. */
  peer_vpc_name: string;

  /** The project that your network is in. */
  peer_project_id: string;

  /** Range of your network. */
  peer_vpc_cidr: string;

  @ApiProperty({ enum: [...NETWORK_PEERING_STATES], description: 'As Google Cloud tells it.' })
  state: NetworkPeeringState;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'In the words of Google Cloud; null until it has said any.',
  })
  state_details: string | null;

  /** What was noted; empty for nothing. */
  remarks: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;
}
