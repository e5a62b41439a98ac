import { Clearable, ClearableText, Example, IsName, IsOneOf, IsText } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsObject, Matches } from 'class-validator';
import { ACCOUNT_CLOUDS, CloudAccountSettingsView, type AccountCloud } from './cloud-account.view.js';

/** The format of region keys. */
export const REGION = /^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$/;
export const REGION_MESSAGE = { message: 'must be the key of a region, such as us-east-1' };

/** A new cloud account. */
@Example<CreateCloudAccountDto>({
  cloud: 'aws',
  name: 'production account',
  account_id: '123456789012',
  region: 'us-east-1',
  settings: {
    aws: {
      identity_arn: 'arn:aws:iam::123456789012:role/landlord',
      external_id: 'landlord-7f3c1b',
      vpc_id: 'vpc-0123456789abcdef0',
    },
  },
})
export class CreateCloudAccountDto {
  @IsOneOf(ACCOUNT_CLOUDS, 'The cloud of the account. It cannot change later.')
  cloud: AccountCloud;

  @IsName('Unique in the tenant, without regard to case.')
  name: string;

  @IsText(64, 'AWS: the 12 digits of the account. GCP: the project id.')
  account_id: string;

  @ClearableText()
  @Matches(REGION, REGION_MESSAGE)
  @IsText(64, 'Default region.')
  region?: string | null;

  @Clearable()
  @IsObject()
  @ApiProperty({ type: CloudAccountSettingsView, description: 'Settings for the cloud of the account.' })
  settings?: CloudAccountSettingsView | null;

  @ClearableText()
  @IsText(500, 'Notes for people.')
  remarks?: string | null;
}
