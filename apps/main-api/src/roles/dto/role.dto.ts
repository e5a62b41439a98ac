import { IsMailedName, Optional, UpdateDto } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsObject } from 'class-validator';
import { PERMISSION_TREE } from '../../platform/index.js';

/** A new role. */
export class CreateRoleDto {
  @IsMailedName('Unique in the tenant, without regard to case.')
  name: string;

  @IsObject()
  @ApiProperty(PERMISSION_TREE)
  permissions: object;
}

/** Name, permissions or both. The new permissions replace all old ones. */
export class UpdateRoleDto extends UpdateDto {
  @Optional()
  @IsMailedName('Unique in the tenant, without regard to case.')
  name?: string;

  @Optional()
  @IsObject()
  @ApiProperty(PERMISSION_TREE)
  permissions?: object;
}
