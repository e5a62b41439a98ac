import { ApiNullableText, ApiNullableTime, ApiTime, ApiId, Resource } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

export const ACCOUNT_CLOUDS = ['aws', 'gcp'] as const;
export type AccountCloud = (typeof ACCOUNT_CLOUDS)[number];

/** Every status except `active` refuses new BYOC deployments. */
export const ACCOUNT_STATUSES = ['active', 'inactive', 'locked', 'deleted'] as const;

/** The settings for access to an AWS account. */
export class AwsSettingsView {
  /** ARN of the role that the service assumes. */
  identity_arn: string;

  /** The external id in the trust policy of the role. */
  external_id: string;

  /** The VPC that deployments are made in: `vpc-` and 8 or 17 hexadecimal digits. */
  vpc_id: string;

  /** IPv4 network of the VPC, such as 10.0.0.0/16. */
  vpc_cidr?: string;
}

/** The settings for access to a Google Cloud project. */
export class GcpSettingsView {
  /** Name of the VPC network that deployments are made in. */
  vpc_network?: string;

  /** IPv4 network of the VPC, such as 10.0.0.0/16. */
  vpc_cidr?: string;
}

/** The settings of a cloud account: only those of its cloud. */
export class CloudAccountSettingsView {
  /** Settings of an AWS account. Absent for other clouds. */
  @ApiProperty({ type: AwsSettingsView, required: false })
  aws?: AwsSettingsView;

  /** Settings of a Google Cloud project. Absent for other clouds. */
  @ApiProperty({ type: GcpSettingsView, required: false })
  gcp?: GcpSettingsView;
}

/** The members that list and detail have in common. */
class CloudAccountBaseView {
  @ApiId('The cloud account.')
  id: number;

  /** The cloud provider of the account. */
  @ApiProperty({ enum: [...ACCOUNT_CLOUDS] })
  cloud: string;

  name: string;

  /** AWS account number, or Google Cloud project id. */
  account_id: string;

  @ApiNullableText('Default region; null for none.')
  region: string | null;

  @ApiProperty({ enum: [...ACCOUNT_STATUSES], description: 'All but `active` refuse new BYOC deployments.' })
  status: string;
}

/** An account of the tenant at its cloud provider in a list (C-13.5). */
@Resource<CloudAccountItemView>({
  id: 'cloud_account_id',
  namedBy: 'name',
  columns: ['id', 'name', 'cloud', 'region', 'account_id', 'status', 'validated_at', 'created_at'],
})
export class CloudAccountItemView extends CloudAccountBaseView {
  @ApiNullableTime("Time of the last successful validation of the account's permissions. Null for never.")
  validated_at: string | null;

  @ApiTime()
  created_at: string;

  @ApiTime()
  updated_at: string;
}

/** An account of the tenant at its cloud provider, with settings and remarks. */
export class CloudAccountView extends CloudAccountBaseView {
  @ApiProperty({ type: CloudAccountSettingsView, nullable: true, description: 'Settings by kind. Null for none.' })
  settings: CloudAccountSettingsView | null;

  @ApiNullableText('Notes. Null for none.')
  remarks: string | null;

  @ApiTime()
  created_at: string;

  @ApiTime()
  updated_at: string;
}
