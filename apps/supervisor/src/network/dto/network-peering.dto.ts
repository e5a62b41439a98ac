import { GCP_FORMATS } from '@libs/domain';
import { ClearableText, Example, IsName, IsPeerNetwork, IsSpelled, IsText } from '@libs/http';

/** A new peering with a VPC network on Google Cloud. */
@Example<CreateNetworkPeeringDto>({
  name: 'to the shop',
  peer_vpc_name: 'shop',
  peer_project_id: 'harbour-shop',
  peer_vpc_cidr: '172.16.0.0/16',
})
export class CreateNetworkPeeringDto {
  @IsName('Unique among the VPC peerings of the deployment, in any case of letters.')
  name: string;

  @IsSpelled(GCP_FORMATS.vpc_name, 'Your VPC network.')
  peer_vpc_name: string;

  @IsSpelled(GCP_FORMATS.project_id, 'The project that your network is in.')
  peer_project_id: string;

  @IsPeerNetwork('gcp', 'IPv4 range of your network. The range must not overlap the network of the deployment.')
  peer_vpc_cidr: string;

  @ClearableText()
  @IsText(500, 'Anything you want to remember.')
  remarks?: string | null;
}
