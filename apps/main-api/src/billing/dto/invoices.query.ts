import { IsOneOf, Optional, ListQuery } from '@libs/http';
import { INVOICE_STATUSES, type InvoiceStatus } from '@libs/persistence/billing';

/** Filters of invoices. */
export class InvoicesQuery extends ListQuery {
  @Optional()
  @IsOneOf(INVOICE_STATUSES, 'Only with this status.')
  status?: InvoiceStatus;
}
