import { ApiProperty } from '@nestjs/swagger';
import { PERMISSION_TREE } from '../../platform/index.js';
import { NamedRoleView } from './member.view.js';

/** What the caller may. */
export class MemberPermissionsView {
  @ApiProperty({ type: [NamedRoleView], description: 'Those of the member; of a key its one role.' })
  roles: NamedRoleView[];

  @ApiProperty({ ...PERMISSION_TREE, description: 'What all the roles grant together, by group.' })
  permissions: object;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    nullable: true,
    description: 'The division outside of which none of it counts; null for none.',
  })
  division_scope: number | null;
}
