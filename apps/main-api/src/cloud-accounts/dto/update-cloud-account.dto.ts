import { Clearable, ClearableText, Example, IsName, IsOneOf, IsText, Optional, UpdateDto } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsObject, Matches } from 'class-validator';
import { ACCOUNT_STATUSES, CloudAccountSettingsView } from './cloud-account.view.js';
import { REGION, REGION_MESSAGE } from './create-cloud-account.dto.js';

/** Changes of a cloud account. Null clears region, settings and remarks; an omitted member is unchanged. */
@Example<UpdateCloudAccountDto>({ name: 'old account', status: 'inactive', remarks: 'Closed at the end of the year.' })
export class UpdateCloudAccountDto extends UpdateDto {
  @Optional()
  @IsName('Unique in the tenant, without regard to case.')
  name?: string;

  @Optional()
  @IsText(64, 'AWS: the 12 digits of the account. GCP: the project id.')
  account_id?: string;

  @ClearableText()
  @Matches(REGION, REGION_MESSAGE)
  @IsText(64, 'Default region.')
  region?: string | null;

  @Clearable()
  @IsObject()
  @ApiProperty({ type: CloudAccountSettingsView, description: 'All settings for the cloud of the account.' })
  settings?: CloudAccountSettingsView | null;

  @ClearableText()
  @IsText(500, 'Notes for people.')
  remarks?: string | null;

  @Optional()
  @IsOneOf(ACCOUNT_STATUSES, 'All but `active` refuse new BYOC deployments.')
  status?: string;
}
