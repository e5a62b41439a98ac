import { Example, IsIdList } from '@libs/http';

/** The members who get or lose a role. */
@Example<RoleMembersDto>({ members: [2] })
export class RoleMembersDto {
  @IsIdList(1, 100, 'Ids of members.')
  members: number[];
}
