import { ApiProperty } from '@nestjs/swagger';
import { MAX_ID, type Sort, type SortKey } from '@libs/domain';
import { IsWholeNumber } from '../input/query.rules.js';
import { Optional } from '../input/presence.js';
import { IsOneOf, IsText } from '../input/rules.js';

/** `page` and `results` of every paged list (C-3.2). */
export class PageQuery {
  @Optional()
  @IsWholeNumber(1, MAX_ID, 'The page, from 1.')
  @ApiProperty({ default: 1 })
  page: number = 1;

  @Optional()
  @IsWholeNumber(1, 100, 'Items on a page.')
  @ApiProperty({ default: 10 })
  results: number = 10;
}

/** The query of a list that can be read from one item on. */
export class ListQuery extends PageQuery {
  /** Checked when the list is read, because each order has its own cursors. */
  @Optional()
  @IsText(
    400,
    'From the link `next`: the page begins after the last item of the page before. So a walk shows each item once.',
  )
  cursor?: string;
}

const sortsBy = (...keys: SortKey[]): Sort[] => keys.flatMap((key): Sort[] => [key, `-${key}`]);
/** The orders of lists whose items have a time, and of those whose items have a name, too. */
export const TIME_SORTS = sortsBy('created_at');
export const NAME_SORTS = sortsBy('name', 'created_at');

const IsSort = (sorts: readonly Sort[]): PropertyDecorator =>
  IsOneOf(sorts, 'The order of the items, with `-` the other way round. Default: newest first.');

/** The query of a list whose items have a time of creation, and no name. */
export class TimedListQuery extends ListQuery {
  @Optional()
  @IsSort(TIME_SORTS)
  sort?: Sort;
}

/** The query of a list whose items have a name and a time of creation. */
export class NamedListQuery extends ListQuery {
  @Optional()
  @IsSort(NAME_SORTS)
  sort?: Sort;
}
