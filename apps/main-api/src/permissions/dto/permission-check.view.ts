import { ApiProperty } from '@nestjs/swagger';

/** How a permission is held. */
export class GrantViaView {
  @ApiProperty({ description: 'The group, or `divisions.<id>` with what is below it.' })
  group: string;

  @ApiProperty({ description: 'The permission found there: the one asked for, or the manage that implies it.' })
  permission: string;
}

/** Whether the caller has a permission at a place. */
export class PermissionCheckView {
  allowed: boolean;

  @ApiProperty({ type: GrantViaView, required: false, description: 'When allowed.' })
  via?: GrantViaView;

  @ApiProperty({ required: false, description: 'When not: the permission that is missing.' })
  missing?: string;
}
