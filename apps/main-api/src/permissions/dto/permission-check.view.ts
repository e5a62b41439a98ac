import { ApiProperty } from '@nestjs/swagger';

/** The grant of a permission. */
export class GrantViaView {
  @ApiProperty({ description: 'The group of permissions, or `divisions.<id>` with the group below the division.' })
  group: string;

  @ApiProperty({
    description: 'The permission in that group: the requested permission, or the manage permission that implies it.',
  })
  permission: string;
}

/** Whether the caller has a permission at a place. */
export class PermissionCheckView {
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
