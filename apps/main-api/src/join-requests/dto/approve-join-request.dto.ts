import { IsIdList, Optional } from '@libs/http';

/** As what somebody is let in. */
export class ApproveJoinRequestDto {
  @Optional()
  @IsIdList(0, 100, 'Roles of the new member. Default: the role viewer.')
  roles?: number[];
}
