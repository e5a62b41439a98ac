import { ALL_PERMISSIONS } from '@libs/domain';
import { IsOneOf, IsQueryId, Optional } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';

/** The permission to check, and the scope. */
export class CheckPermissionQuery {
  @IsOneOf(ALL_PERMISSIONS, 'The permission.')
  permission: string;

  @ValidateIf((query: CheckPermissionQuery) => query.division_id !== undefined || query.environment_id !== undefined)
  @IsQueryId('In this division; without it, on the tenant itself.')
  @ApiProperty({ required: false })
  division_id?: number;

  @Optional()
  @IsQueryId('In this environment of the division.')
  environment_id?: number;
}
