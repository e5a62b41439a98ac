import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { InvoiceId } from '@libs/domain';
import {
  Actor,
  FailsWith,
  InTenant,
  OfTenant,
  PageQuery,
  PathId,
  RequirePermission,
  Returns,
  ReturnsPageOf,
  type ActingCaller,
  type Page,
} from '@libs/http';
import type { Response } from 'express';
import { ChargeLineView } from '../dto/charges.view.js';
import { InvoiceItemView, InvoiceView } from '../dto/invoice.view.js';
import { InvoicesQuery } from '../dto/invoices.query.js';
import { InvoicePdf } from './invoice-pdf.js';
import { InvoicesService } from './invoices.service.js';
import { sendPdf } from './send-pdf.js';

@ApiTags('Billing')
@Controller('tenants/:tenant_id/billing/invoices')
export class InvoicesController {
  constructor(
    private readonly invoices: InvoicesService,
    private readonly paper: InvoicePdf,
  ) {}

  /**
   * Lists the invoices. A caller of one division sees the invoices that charge the division, with the division's part.
   */
  @Get()
  @RequirePermission('billing:read')
  @InTenant()
  @ReturnsPageOf(InvoiceItemView)
  @FailsWith('validation_failed')
  list(@Actor() actor: ActingCaller, @Query() query: InvoicesQuery): Promise<Page<InvoiceItemView>> {
    return this.invoices.list(actor, query);
  }

  /** Reads an invoice with the charges of each deployment. */
  @Get(':invoice_id')
  @RequirePermission('billing:read')
  @OfTenant('invoice', 'The invoice.')
  @Returns(InvoiceView)
  get(@Actor() actor: ActingCaller, @PathId('invoice_id') id: InvoiceId): Promise<InvoiceView> {
    return this.invoices.get(actor, id);
  }

  /** Lists the charges of each deployment, highest first. */
  @Get(':invoice_id/lines')
  @RequirePermission('billing:read')
  @OfTenant('invoice', 'The invoice.')
  @ReturnsPageOf(ChargeLineView)
  @FailsWith('validation_failed')
  lines(
    @Actor() actor: ActingCaller,
    @PathId('invoice_id') id: InvoiceId,
    @Query() query: PageQuery,
  ): Promise<Page<ChargeLineView>> {
    return this.invoices.lines(actor, id, query);
  }

  /** Returns the invoice as PDF. A caller of one division gets an extract for the division. */
  @Get(':invoice_id/pdf')
  @RequirePermission('billing:read')
  @OfTenant('invoice', 'The invoice.')
  @ApiProduces('application/pdf')
  @ApiResponse({ status: 200, description: 'The invoice.', schema: { type: 'string', format: 'binary' } })
  async pdf(
    @Actor() actor: ActingCaller,
    @PathId('invoice_id') id: InvoiceId,
    @Res() response: Response,
  ): Promise<void> {
    sendPdf(response, await this.paper.print(actor, id));
  }
}
