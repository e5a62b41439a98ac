import { ApiProperty } from '@nestjs/swagger';
import { ApiNullableText, ApiTime, ApiId, Resource } from '@libs/http';

export const NETWORK_PEERING_STATES = ['inactive', 'active', 'deleted'] as const;
export type NetworkPeeringState = (typeof NETWORK_PEERING_STATES)[number];

/**
 * The half of a Google Cloud peering on the operator's side (C-22.6). It becomes active when the customer has created
 * the other half.
 */
@Resource<NetworkPeeringView>({
  id: 'peering_id',
  namedBy: 'name',
  columns: ['id', 'name', 'state', 'peer_project_id', 'peer_vpc_name', 'peer_vpc_cidr', 'created_at', 'state_details'],
})
export class NetworkPeeringView {
  @ApiId('The peering.')
  id: number;

  /** Name. */
  name: string;

  /** Your VPC network. */
  peer_vpc_name: string;

  /** The project that your network is in. */
  peer_project_id: string;

  /** Range of your network. */
  peer_vpc_cidr: string;

  @ApiProperty({ enum: [...NETWORK_PEERING_STATES], description: 'State that Google Cloud returns.' })
  state: NetworkPeeringState;

  @ApiNullableText('Details of the state, as Google Cloud returns them. Null for none.')
  state_details: string | null;

  /** Notes. Null for none. */
  remarks: string | null;

  @ApiTime()
  created_at: string;
}
