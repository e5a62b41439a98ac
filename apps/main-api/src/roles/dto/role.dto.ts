import { IsMailedName, Optional, UpdateDto } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsObject } from 'class-validator';
import { PERMISSION_TREE } from '../../platform/index.js';

/** A new role. */
export class CreateRoleDto {
  @IsMailedName('Unique in the tenant, without regard to case.')
  name: string;

  /** The permissions of the role, by group. */
  @IsObject()
  @ApiProperty(PERMISSION_TREE)
  permissions: object;
}

/** Changes of a role: name, permissions or both. The new permissions replace all old ones. */
export class UpdateRoleDto extends UpdateDto {
  @Optional()
  @IsMailedName('Unique in the tenant, without regard to case.')
  name?: string;

  /** The permissions of the role, by group. */
  @Optional()
  @IsObject()
  @ApiProperty(PERMISSION_TREE)
  permissions?: object;
}
