import { IsFlag, Optional, UpdateDto } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsArray } from 'class-validator';
import { ALLOWED_IPS } from './api-key.view.js';

/** From where a key may be used. */
export class RestrictApiKeyDto extends UpdateDto {
  @Optional()
  @IsFlag('Whether the address of the caller is checked; false also empties the list.')
  validate_ip?: boolean;

  @Optional()
  @IsArray()
  @ApiProperty(ALLOWED_IPS)
  allowed_ips?: unknown[];
}
