import { readFilter, TEXT } from '../../ui/list/filters.js';
import { readPage } from '../../ui/list/pages.js';

export const searchOfKeys = (search: Record<string, unknown>) => ({
  ...readPage(search),
  ...readFilter(search, { name: TEXT }),
});
