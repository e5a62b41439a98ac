import { ALL_PERMISSIONS, MAX_ID } from '@libs/domain';
import { IsOneOf, Optional, wholeNumber } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, Max, Min, ValidateIf } from 'class-validator';

const ID = { type: 'integer', format: 'int64', minimum: 1, maximum: MAX_ID } as const;

/** The permission to check, and the scope. */
export class CheckPermissionQuery {
  @IsOneOf(ALL_PERMISSIONS, 'The permission.')
  permission: string;

  @ValidateIf((query: CheckPermissionQuery) => query.division_id !== undefined || query.environment_id !== undefined)
  @Transform(wholeNumber)
  @IsInt()
  @Min(1)
  @Max(MAX_ID)
  @ApiProperty({ ...ID, required: false, description: 'In this division; without it, on the tenant itself.' })
  division_id?: number;

  @Optional()
  @Transform(wholeNumber)
  @IsInt()
  @Min(1)
  @Max(MAX_ID)
  @ApiProperty({ ...ID, required: false, description: 'In this environment of the division.' })
  environment_id?: number;
}
