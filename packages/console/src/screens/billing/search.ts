import { DAY, readFilter } from '../../ui/list/filters.js';
import { readPage } from '../../ui/list/pages.js';

/** Days of UTC. */
export const searchOfUsage = (search: Record<string, unknown>) => ({
  ...readPage(search),
  ...readFilter(search, { from: DAY, to: DAY }),
});
