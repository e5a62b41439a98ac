import { FILTERS } from '../../../generated/values.js';
import { ID, readFilter } from '../../../ui/list/filters.js';
import { readPage } from '../../../ui/list/pages.js';

/** The page, the filter, and the operation that is open. */
export function searchOfOperations(search: Record<string, unknown>) {
  const { operation } = readFilter(search, { operation: ID });
  return {
    ...readPage(search),
    ...readFilter(search, FILTERS['operations.list']),
    ...(operation !== undefined && { operation: Number(operation) }),
  };
}
