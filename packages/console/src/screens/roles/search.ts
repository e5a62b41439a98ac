import { FILTERS } from '../../generated/values.js';
import { readFilter, TEXT } from '../../ui/list/filters.js';
import { readPage } from '../../ui/list/pages.js';

export const searchOfRoles = (search: Record<string, unknown>) => ({
  ...readPage(search),
  ...readFilter(search, { ...FILTERS['roles.list'], name: TEXT }),
});
