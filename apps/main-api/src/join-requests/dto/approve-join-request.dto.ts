import { IsIdList, Optional } from '@libs/http';

/** As what somebody is let in. */
export class ApproveJoinRequestDto {
  @Optional()
  @IsIdList(0, 100, 'Roles that the member will have; the viewer unless told.')
  roles?: number[];
}
