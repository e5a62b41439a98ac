import { IsText, Optional, PageQuery } from '@libs/http';

/** Filters of API keys. */
export class ListApiKeysQuery extends PageQuery {
  @Optional()
  @IsText(100, 'Only keys whose name contains this text, without regard to case.')
  name?: string;
}
