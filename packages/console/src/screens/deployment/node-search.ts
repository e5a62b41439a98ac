import { readPage, type PageSearch } from '../../ui/list/pages.js';

/** A page of a list, with a filter for one node. */
export interface NodePageSearch extends PageSearch {
  node?: number;
}

export function searchOfNodePages(search: Record<string, unknown>): NodePageSearch {
  const node = Number(search['node']);
  return { ...readPage(search), ...(Number.isSafeInteger(node) && node > 0 && { node }) };
}
