import { Get, Query, Res } from '@nestjs/common';
import type { InvoiceId } from '@libs/domain';
import { Actor, Lists, ListQuery, PathId, Reads, Routes, Sends, type ActingCaller, type Page } from '@libs/http';
import type { Response } from 'express';
import { ChargeLineView } from '../dto/charges.view.js';
import { InvoiceItemView, InvoiceView } from '../dto/invoice.view.js';
import { InvoicesQuery } from '../dto/invoices.query.js';
import { InvoicePdf } from './invoice-pdf.js';
import { InvoicesService } from './invoices.service.js';
import { sendPdf } from './send-pdf.js';

@Routes('tenants/:tenant_id/billing/invoices', 'Billing', { invoice_id: 'The invoice.' })
export class InvoicesController {
  constructor(
    private readonly invoices: InvoicesService,
    private readonly invoicePdf: InvoicePdf,
  ) {}

  /**
   * Lists the invoices. A caller of one division sees the invoices that charge the division, with the division's part.
   */
  @Get()
  @Lists('billing:read', InvoiceItemView)
  list(@Actor() actor: ActingCaller, @Query() query: InvoicesQuery): Promise<Page<InvoiceItemView>> {
    return this.invoices.list(actor, query);
  }

  /** Reads an invoice with the charges of each deployment. */
  @Get(':invoice_id')
  @Reads('billing:read', InvoiceView)
  get(@Actor() actor: ActingCaller, @PathId() id: InvoiceId): Promise<InvoiceView> {
    return this.invoices.get(actor, id);
  }

  /** Lists the charges of each deployment, highest first. */
  @Get(':invoice_id/lines')
  @Lists('billing:read', ChargeLineView)
  lines(
    @Actor() actor: ActingCaller,
    @PathId() id: InvoiceId,
    @Query() query: ListQuery,
  ): Promise<Page<ChargeLineView>> {
    return this.invoices.lines(actor, id, query);
  }

  /** Returns the invoice as PDF. A caller of one division gets an extract for the division. */
  @Get(':invoice_id/pdf')
  @Sends('billing:read', { type: 'application/pdf', description: 'The invoice.' })
  async pdf(@Actor() actor: ActingCaller, @PathId() id: InvoiceId, @Res() response: Response): Promise<void> {
    sendPdf(response, await this.invoicePdf.print(actor, id));
  }
}
