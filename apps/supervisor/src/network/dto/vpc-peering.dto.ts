import { AWS_FORMATS } from '@libs/domain';
import { ClearableText, Example, IsName, IsPeerNetwork, IsSpelled, IsText, Optional } from '@libs/http';

/** A new peering with a VPC on AWS. */
@Example<CreateVpcPeeringDto>({
  name: 'to the shop',
  peer_vpc_id: 'vpc-0123456789abcdef0',
  peer_owner_id: '123456789012',
  peer_vpc_cidr: '172.16.0.0/16',
})
export class CreateVpcPeeringDto {
  @IsName('Unique among the VPC peerings of the deployment, in any case of letters.')
  name: string;

  @IsSpelled(AWS_FORMATS.vpc_id, 'Your VPC.')
  peer_vpc_id: string;

  @IsSpelled(AWS_FORMATS.account_id, 'The account that your VPC is in: 12 digits.')
  peer_owner_id: string;

  @IsPeerNetwork('aws', 'IPv4 network of your VPC. The network must not overlap the network of the deployment.')
  peer_vpc_cidr: string;

  @Optional()
  @IsSpelled(AWS_FORMATS.region, 'Region of your VPC; left out: that of the deployment.')
  peer_region?: string;

  @ClearableText()
  @IsText(500, 'Anything you want to remember.')
  remarks?: string | null;
}
