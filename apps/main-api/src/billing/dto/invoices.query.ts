import { IsOneOf, Optional, PageQuery } from '@libs/http';
import { INVOICE_STATUSES, type InvoiceStatus } from '@libs/persistence/billing';

/** Filters of invoices. */
export class InvoicesQuery extends PageQuery {
  @Optional()
  @IsOneOf(INVOICE_STATUSES, 'Only with this status.')
  status?: InvoiceStatus;
}
