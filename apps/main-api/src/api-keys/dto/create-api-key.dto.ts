import { Clearable, Example, IsFlag, IsId, IsInstant, IsName, Optional } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsArray, IsObject } from 'class-validator';
import { PERMISSION_TREE } from '../../platform/index.js';
import { ALLOWED_IPS } from './api-key.view.js';

/** A new key; exactly one of `role_id` and `permissions` (C-6.3). */
@Example<CreateApiKeyDto>({
  name: 'build server',
  expiry_at: '2027-06-30T12:00:00Z',
  permissions: { environment: ['deployment:read'] },
})
export class CreateApiKeyDto {
  @IsName('Shown in lists and in the audit.')
  name: string;

  @IsInstant('Time at which the key expires, at most 365 days ahead.')
  expiry_at: string;

  @Optional()
  @IsId('An existing role.')
  role_id?: number;

  @Optional()
  @IsObject()
  @ApiProperty({ ...PERMISSION_TREE, description: 'A role is made for the key with just these.' })
  permissions?: object;

  @Clearable()
  @IsId('The division that limits the key: the key reaches nothing outside this division.')
  division_id?: number;

  @Optional()
  @IsFlag('True: the key works only from the addresses of `allowed_ips`. Default false.')
  validate_ip?: boolean;

  @Optional()
  @IsArray()
  @ApiProperty(ALLOWED_IPS)
  allowed_ips?: unknown[];
}
