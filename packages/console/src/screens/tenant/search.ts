import { FILTERS } from '../../generated/values.js';
import { readFilter, TEXT } from '../../ui/filters.js';
import { readPage } from '../../ui/pages.js';

export const searchOfDeployments = (search: Record<string, unknown>) => ({
  ...readPage(search),
  ...readFilter(search, { ...FILTERS['deployments.listAll'], name: TEXT, region: TEXT }),
});
