import { FILTERS } from '../../generated/values.js';
import { readFilter, REGION, TEXT } from '../../ui/list/filters.js';
import { readPage } from '../../ui/list/pages.js';

export const searchOfDeployments = (search: Record<string, unknown>) => ({
  ...readPage(search),
  ...readFilter(search, { ...FILTERS['deployments.listAll'], name: TEXT, region: REGION }),
});
