import { readPage, type PageSearch } from '../../ui/pages.js';

export interface UsageSearch extends PageSearch {
  from?: string;
  to?: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Days of UTC. */
export function searchOfUsage(search: Record<string, unknown>): UsageSearch {
  const day = (name: string): string | null => {
    const { [name]: value } = search;
    return typeof value === 'string' && DAY.test(value) ? value : null;
  };
  const [from, to] = [day('from'), day('to')];
  return { ...readPage(search), ...(from !== null && { from }), ...(to !== null && { to }) };
}
