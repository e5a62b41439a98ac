import { CLOUDS, CLUSTER_KINDS, TIERS, type Cloud, type ClusterKind, type Tier } from '@libs/catalog';
import { AWS_FORMATS, GCP_FORMATS } from '@libs/domain';
import { Example, IsName, IsOneOf, IsPeerNetwork, IsSpelled, IsText, Nested, OnlyWhen, Optional } from '@libs/http';
import { StorageDto } from './shape.dto.js';

/** The customer's AWS account. */
export class AwsAccountDto {
  @IsSpelled(AWS_FORMATS.account_id, 'The 12 digits of the account.')
  account_id: string;

  @IsSpelled(AWS_FORMATS.identity_arn, 'ARN of the role that the service assumes; of the same account.')
  identity_arn: string;

  @IsSpelled(AWS_FORMATS.external_id, 'The external id that the request byoc/setup returned.')
  external_id: string;

  @IsSpelled(AWS_FORMATS.vpc_id, 'The VPC that the nodes are made in.')
  vpc_id: string;

  @Optional()
  @IsPeerNetwork('aws', 'IPv4 network of the VPC. The service makes a subnet for the nodes in this network.')
  vpc_cidr?: string;
}

/** The customer's Google Cloud project. */
export class GcpProjectDto {
  @IsSpelled(GCP_FORMATS.project_id, 'The id of the project.')
  project_id: string;

  @IsSpelled(GCP_FORMATS.service_account_email, 'The service account that the service acts as.')
  service_account_email: string;

  @IsSpelled(GCP_FORMATS.vpc_name, 'The VPC network that the nodes are made in.')
  vpc_name: string;
}

/** A new deployment in an account of the customer (C-13.1). Commercial terms do not apply. */
@Example<CreateByocDto>({
  name: 'orders in our account',
  cloud: 'aws',
  region: 'us-east-1',
  tier: 'small',
  cluster: 'cluster',
  storage: { type: 'network_balanced', size: 100 },
  aws: {
    account_id: '123456789012',
    identity_arn: 'arn:aws:iam::123456789012:role/landlord',
    external_id: 'landlord-7f3c1b',
    vpc_id: 'vpc-0123456789abcdef0',
  },
})
export class CreateByocDto {
  @IsName('Unique in the environment, without regard to case.')
  name: string;

  @IsOneOf(CLOUDS, 'The cloud.')
  cloud: Cloud;

  @IsOneOf(TIERS, 'Compute size.')
  tier: Tier;

  @IsOneOf(CLUSTER_KINDS, '`cluster` for paid sizes, `standalone` for Free.')
  cluster: ClusterKind;

  @IsText(64, 'A region of the cloud, with the name that the provider uses.')
  region: string;

  @Optional()
  @Nested(StorageDto, 'Default: 100 GB of Network Drive per node.')
  storage?: StorageDto;

  @OnlyWhen('cloud', 'aws', CLOUDS)
  @Nested(
    AwsAccountDto,
    'Required for cloud `aws`, refused for other clouds.',
    'is required for cloud aws, as a JSON object',
  )
  aws?: AwsAccountDto;

  @OnlyWhen('cloud', 'gcp', CLOUDS)
  @Nested(
    GcpProjectDto,
    'Required for cloud `gcp`, refused for other clouds.',
    'is required for cloud gcp, as a JSON object',
  )
  gcp?: GcpProjectDto;
}
