import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
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
import { ChargeLineView } from './dto/charges.view.js';
import { InvoiceItemView, InvoiceView } from './dto/invoice.view.js';
import { InvoicesQuery } from './dto/invoices.query.js';
import { InvoicesService } from './invoices.service.js';

@ApiTags('Billing')
@Controller('tenants/:tenant_id/billing/invoices')
export class InvoicesController {
  constructor(private readonly invoices: InvoicesService) {}

  /** Lists the invoices; who is scoped to a division sees those that charge it, with its part of them. */
  @Get()
  @RequirePermission('billing:read')
  @InTenant()
  @ReturnsPageOf(InvoiceItemView)
  @FailsWith('validation_failed')
  list(@Actor() actor: ActingCaller, @Query() query: InvoicesQuery): Promise<Page<InvoiceItemView>> {
    return this.invoices.list(actor, query);
  }

  /** Reads an invoice with what each deployment was charged. */
  @Get(':invoice_id')
  @RequirePermission('billing:read')
  @OfTenant('invoice', 'The invoice.')
  @Returns(InvoiceView)
  get(@Actor() actor: ActingCaller, @PathId('invoice_id') id: number): Promise<InvoiceView> {
    return this.invoices.get(actor, id);
  }

  /** Lists what each deployment was charged, the dearest first. */
  @Get(':invoice_id/lines')
  @RequirePermission('billing:read')
  @OfTenant('invoice', 'The invoice.')
  @ReturnsPageOf(ChargeLineView)
  @FailsWith('validation_failed')
  lines(
    @Actor() actor: ActingCaller,
    @PathId('invoice_id') id: number,
    @Query() query: PageQuery,
  ): Promise<Page<ChargeLineView>> {
    return this.invoices.lines(actor, id, query);
  }
}
