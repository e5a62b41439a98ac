import { IsOneOf, IsText, Optional, NamedListQuery } from '@libs/http';
import { ROLE_KINDS } from './role.view.js';

/** Filters of roles. */
export class ListRolesQuery extends NamedListQuery {
  @Optional()
  @IsOneOf(ROLE_KINDS, 'Only roles of this kind; without it, all but those that were made for one key.')
  kind?: 'system' | 'custom' | 'api_key';

  @Optional()
  @IsText(100, 'Only roles whose name contains this text, without regard to case.')
  name?: string;
}
