import { FILTERS } from '../../generated/values.js';
import { readFilter } from '../../ui/filters.js';
import { readPage } from '../../ui/pages.js';

export const searchOfInvoices = (search: Record<string, unknown>) => ({
  ...readPage(search),
  ...readFilter(search, FILTERS['invoices.list']),
});
