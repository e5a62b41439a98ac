import { FILTERS } from '../../generated/values.js';
import { readFilter } from '../../ui/list/filters.js';
import { readPage } from '../../ui/list/pages.js';

export const searchOfInvoices = (search: Record<string, unknown>) => ({
  ...readPage(search),
  ...readFilter(search, FILTERS['invoices.list']),
});
