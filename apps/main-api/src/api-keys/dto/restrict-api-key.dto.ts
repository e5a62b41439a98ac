import { Example, IsFlag, Optional, UpdateDto } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsArray } from 'class-validator';
import { ALLOWED_IPS } from './api-key.view.js';

/** The addresses that may use an API key. */
@Example<RestrictApiKeyDto>({
  validate_ip: true,
  allowed_ips: ['203.0.113.7', '198.51.100.0/24', '127.0.0.0/8', '::1'],
})
export class RestrictApiKeyDto extends UpdateDto {
  @Optional()
  @IsFlag('True: the key works only from the addresses of `allowed_ips`. False also empties the list.')
  validate_ip?: boolean;

  @Optional()
  @IsArray()
  @ApiProperty(ALLOWED_IPS)
  allowed_ips?: unknown[];
}
