import { ApiProperty } from '@nestjs/swagger';
import { VPC_PEERING_STATUSES, type VpcPeeringStatus } from '@libs/cloud';
import { ApiNullableText, ApiTime, ApiId, Resource } from '@libs/http';

const ApiTold = (description: string): PropertyDecorator =>
  ApiProperty({ type: 'string', nullable: true, description: `${description} Null until AWS returns a value.` });

/** A VPC peering on AWS: the installation requests it, the customer accepts it (C-22.4). */
@Resource<VpcPeeringView>({
  id: 'peering_id',
  namedBy: 'name',
  columns: [
    'id',
    'name',
    'status',
    'accepter_vpc_id',
    'accepter_region',
    'accepter_cidr',
    'created_at',
    'status_reason',
  ],
})
export class VpcPeeringView {
  @ApiId('The peering.')
  id: number;

  /** Name. */
  name: string;

  @ApiTold('Id of the connection at AWS, which you accept.')
  peering_connection_id: string | null;

  @ApiTold('VPC of the deployment.')
  requester_vpc_id: string | null;

  @ApiTold('Network of the deployment.')
  requester_cidr: string | null;

  /** Your VPC. */
  accepter_vpc_id: string;

  /** Network of your VPC. */
  accepter_cidr: string;

  /** Region of the deployment. */
  requester_region: string;

  /** Region of your VPC. */
  accepter_region: string;

  @ApiTold('Account of the deployment.')
  requester_owner_id: string | null;

  @ApiProperty({ type: 'string', pattern: '^[0-9]{12}$', description: 'Account of your VPC.' })
  accepter_owner_id: string;

  @ApiProperty({ enum: [...VPC_PEERING_STATUSES], description: 'Status that AWS returns.' })
  status: VpcPeeringStatus;

  @ApiNullableText('Reason of the status, when AWS returns one.')
  status_reason: string | null;

  /** Notes. Null for none. */
  remarks: string | null;

  @ApiTime()
  created_at: string;
}
