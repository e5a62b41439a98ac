import { IsText, NamedListQuery, Optional } from '@libs/http';

/** Filters of environments. */
export class EnvironmentsQuery extends NamedListQuery {
  @Optional()
  @IsText(100, 'Only environments whose name contains this text, without regard to case.')
  name?: string;
}
