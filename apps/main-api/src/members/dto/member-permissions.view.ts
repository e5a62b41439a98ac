import { ApiNullableInteger } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { PERMISSION_TREE } from '../../platform/index.js';
import { NamedRoleView } from './member.view.js';

/** The permissions of the calling user or key in the tenant. */
export class MemberPermissionsView {
  @ApiProperty({ type: [NamedRoleView], description: 'Roles of the member. For an API key: the role of the key.' })
  roles: NamedRoleView[];

  @ApiProperty({ ...PERMISSION_TREE, description: 'The permissions of all roles together, by group.' })
  permissions: object;

  @ApiNullableInteger('The division that limits all permissions. Null for none.')
  division_scope: number | null;
}
