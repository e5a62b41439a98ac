import { IsText, NamedListQuery, Optional } from '@libs/http';

/** Filters of divisions. */
export class DivisionsQuery extends NamedListQuery {
  @Optional()
  @IsText(100, 'Only divisions whose name contains this text, without regard to case.')
  name?: string;
}
