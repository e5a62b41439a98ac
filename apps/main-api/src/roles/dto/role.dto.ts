import { Example, IsMailedName, Optional, UpdateDto } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsObject } from 'class-validator';
import { PERMISSION_TREE } from '../../platform/index.js';

/** A new role. */
@Example<CreateRoleDto>({
  name: 'operators',
  permissions: { tenant: ['info:read'], environment: ['deployment:read', 'deployment:manage'] },
})
export class CreateRoleDto {
  @IsMailedName('Unique in the tenant, without regard to case.')
  name: string;

  /** The permissions of the role, by group. */
  @IsObject()
  @ApiProperty(PERMISSION_TREE)
  permissions: object;
}

/** Changes of a role: name, permissions or both. The new permissions replace all old ones. */
@Example<UpdateRoleDto>({ name: 'readers', permissions: { environment: ['deployment:read'] } })
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
