import { Body, Get, Put } from '@nestjs/common';
import { Actor, IfMatch, Reads, Returns, Routes, WritesWhenChanged, type ActingCaller } from '@libs/http';
import { Precondition } from '@libs/domain';
import { BillingInfoService } from './billing-info.service.js';
import { BillingInfoView } from './dto/billing-info.view.js';
import { UpdateBillingInfoDto } from './dto/update-billing-info.dto.js';

@Routes('tenants/:tenant_id/billing/info', 'Billing')
export class BillingInfoController {
  constructor(private readonly infos: BillingInfoService) {}

  /** Reads the billing address of the tenant. */
  @Get()
  @Reads('billing:read', BillingInfoView)
  get(@Actor() actor: ActingCaller): Promise<BillingInfoView> {
    return this.infos.get(actor);
  }

  /**
   * Changes the billing address of the tenant. Members that are left out stay unchanged. Issued invoices keep the old
   * address.
   */
  @Put()
  @WritesWhenChanged('billing:manage', 'billing_info_changed')
  @Returns(BillingInfoView)
  put(
    @Actor() actor: ActingCaller,
    @Body() dto: UpdateBillingInfoDto,
    @IfMatch() precondition: Precondition,
  ): Promise<BillingInfoView> {
    return this.infos.put(actor, dto, precondition);
  }
}
