import { ApiProperty } from '@nestjs/swagger';

/** The part of a role that grants a permission. */
export class GrantViaView {
  @ApiProperty({ description: 'The group of permissions, or `divisions.<id>` with the group below the division.' })
  group: string;

  @ApiProperty({
    description: 'The permission in that group: the requested permission, or the manage permission that implies it.',
  })
  permission: string;
}

/** The answer whether the caller has a permission in a scope. */
export class PermissionCheckView {
  /** True when the caller has the permission at the scope. */
  allowed: boolean;

  @ApiProperty({
    type: GrantViaView,
    required: false,
    description: 'The role and group that allow the action. Present when the action is allowed.',
  })
  via?: GrantViaView;

  @ApiProperty({ required: false, description: 'The missing permission. Present when the action is not allowed.' })
  missing?: string;
}
