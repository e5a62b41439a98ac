import { FILTERS } from '../../generated/values.js';
import { readFilter } from '../../ui/list/filters.js';
import { readPage } from '../../ui/list/pages.js';
import { readOwner } from './owner.js';

export const searchOfChannels = (search: Record<string, unknown>) => ({
  ...readPage(search),
  ...readOwner(search),
  ...readFilter(search, FILTERS['channels.list']),
});

export const searchOfChannel = (search: Record<string, unknown>) => ({
  ...readPage(search),
  ...readOwner(search),
  ...readFilter(search, FILTERS['deliveries.list']),
});
