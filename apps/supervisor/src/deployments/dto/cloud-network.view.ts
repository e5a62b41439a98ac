import { ApiNullableText } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** Cloud network of a deployment. */
class CloudNetworkView {
  /** Id of the network at the cloud. Null until the network exists. */
  @ApiNullableText()
  network_id: string | null;

  /** Ids of the subnets at the cloud. */
  @ApiProperty({ type: [String] })
  subnet_ids: string[];
}

/** The cloud network of a deployment on AWS. */
export class AwsNetworkView extends CloudNetworkView {
  @ApiProperty({
    description:
      'The AWS account of the network: that of the customer, or that of the operator. `local` for a network on this machine, in no account.',
  })
  account_id: string;
}

/** The cloud network of a deployment on Google Cloud. */
export class GcpNetworkView extends CloudNetworkView {
  @ApiProperty({
    description:
      "The Google Cloud project of the network. `local` for a network on this machine, in no customer's project.",
  })
  project_id: string;
}
