import { IsText, Optional, NamedListQuery } from '@libs/http';

/** Filters of API keys. */
export class ListApiKeysQuery extends NamedListQuery {
  @Optional()
  @IsText(100, 'Only keys whose name contains this text, without regard to case.')
  name?: string;
}
