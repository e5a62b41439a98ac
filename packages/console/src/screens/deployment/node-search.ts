import { readIds } from '../../ui/list/filters.js';
import { readPage, type PageSearch } from '../../ui/list/pages.js';

/** A page of a list, with a filter for one node. */
export interface NodePageSearch extends PageSearch {
  node?: number;
}

export const searchOfNodePages = (search: Record<string, unknown>): NodePageSearch => ({
  ...readPage(search),
  ...readIds(search, 'node'),
});
