import { ApiNullableInteger, ApiTime, ApiId, Resource } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** A role: its id and its name. */
export class NamedRoleView {
  @ApiId('The role.')
  id: number;

  name: string;
}

/** A member of the tenant (C-9.1). */
@Resource<MemberView>({
  id: 'member_id',
  namedBy: 'email',
  columns: ['id', 'email', 'name', 'roles', 'division_id', 'active', 'owner', 'created_at'],
})
export class MemberView {
  @ApiId('The user.')
  id: number;

  /** The address of the person. */
  email: string;

  /** The name of the person. */
  name: string;

  /** A member who is not active can do nothing, and neither can their keys. */
  active: boolean;

  /** The owner of the tenant. */
  owner: boolean;

  @ApiNullableInteger('The division that the member is confined to.')
  division_id: number | null;

  /** Roles of the member. */
  @ApiProperty({ type: [NamedRoleView] })
  roles: NamedRoleView[];

  @ApiTime()
  created_at: string;
}
