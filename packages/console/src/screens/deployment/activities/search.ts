import { FILTERS } from '../../../generated/values.js';
import { readPage, type PageSearch } from '../../../ui/list/pages.js';

export const STATUSES = FILTERS['activities.list'].status;
export const RUNTIMES = ['broker', 'connectors'] as const;
export const ACTIONS = ['restart', 'stop', 'start'] as const;

/** What the address of the page says: the page of the list, and what the form does. */
export interface ActivitySearch extends PageSearch {
  /** Which activities the list has. */
  status?: (typeof STATUSES)[number];
  runtime?: (typeof RUNTIMES)[number];
  action?: (typeof ACTIONS)[number];
}

export function searchOfActivities(search: Record<string, unknown>): ActivitySearch {
  const runtime = RUNTIMES.find((one) => one === search['runtime']);
  const action = ACTIONS.find((one) => one === search['action']);
  const status = STATUSES.find((one) => one === search['status']);
  return {
    ...readPage(search),
    ...(runtime && { runtime }),
    ...(action && { action }),
    ...(status && { status }),
  };
}
