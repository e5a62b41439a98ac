import { IsIdList } from '@libs/http';

/** Whom to give a role, or take it from. */
export class RoleMembersDto {
  @IsIdList(1, 100, 'Ids of members.')
  members: number[];
}
