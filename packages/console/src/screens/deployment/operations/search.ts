import { FILTERS } from '../../../generated/values.js';
import { readIds, searchOf } from '../../../ui/list/filters.js';

/** The page, the filter, and the operation that is open. */
export const searchOfOperations = (search: Record<string, unknown>) => ({
  ...searchOf(FILTERS['operations.list'])(search),
  ...readIds(search, 'operation'),
});
