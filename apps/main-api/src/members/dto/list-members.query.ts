import { IsQueryFlag, IsText, NamedListQuery, Optional } from '@libs/http';

/** Filters of members. */
export class ListMembersQuery extends NamedListQuery {
  @Optional()
  @IsQueryFlag('Only those who are active, or only those who are not.')
  active?: boolean;

  @Optional()
  @IsText(254, 'Only members whose address contains this text, without regard to case.')
  email?: string;
}
