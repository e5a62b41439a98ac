import { ApiTime, ApiId, Resource } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { PERMISSION_TREE } from '../../platform/index.js';

export const ROLE_KINDS = ['system', 'custom', 'api_key'] as const;

/** A role of the tenant: a set of permissions (C-9.4). */
@Resource<RoleView>({ id: 'role_id', namedBy: 'name', columns: ['id', 'name', 'kind', 'created_at'] })
export class RoleView {
  @ApiId('The role.')
  id: number;

  name: string;

  @ApiProperty({ enum: [...ROLE_KINDS], description: 'api_key: made for one key, outside the limit of the plan.' })
  kind: string;

  /** The permissions of the role, by group. */
  @ApiProperty(PERMISSION_TREE)
  permissions: object;

  @ApiTime()
  created_at: string;
}
