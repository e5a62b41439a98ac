import { PageQuery } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { ACCOUNT_CLOUDS } from './cloud-account.view.js';

/** Filters of the list of cloud accounts. */
export class CloudAccountsQuery extends PageQuery {
  @ApiProperty({
    type: 'string',
    maxLength: 100,
    required: false,
    description: 'Only with this in the name, without regard to case.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(100)
  name?: string;

  @ApiProperty({ enum: [...ACCOUNT_CLOUDS], required: false, description: 'Only of this cloud.' })
  @IsOptional()
  @IsIn(ACCOUNT_CLOUDS)
  cloud?: string;

  @ApiProperty({
    type: 'string',
    maxLength: 64,
    required: false,
    description: 'Only with this in the region, without regard to case.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(64)
  region?: string;
}
