import { Example, IsIdList, Optional } from '@libs/http';

/** The approval of a request to join: the roles of the new member. */
@Example<ApproveJoinRequestDto>({ roles: [] })
export class ApproveJoinRequestDto {
  @Optional()
  @IsIdList(0, 100, 'Roles of the new member. Default: the role viewer.')
  roles?: number[];
}
