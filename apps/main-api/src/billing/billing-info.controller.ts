import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  Actor,
  AuditedWhenChanged,
  HonoursIfMatch,
  Idempotent,
  IfMatch,
  InTenant,
  RequirePermission,
  Returns,
  type ActingCaller,
} from '@libs/http';
import { Precondition } from '@libs/domain';
import { BillingInfoService } from './billing-info.service.js';
import { BillingInfoView } from './dto/billing-info.view.js';
import { UpdateBillingInfoDto } from './dto/update-billing-info.dto.js';

@ApiTags('Billing')
@Controller('tenants/:tenant_id/billing/info')
export class BillingInfoController {
  constructor(private readonly infos: BillingInfoService) {}

  /** Reads the billing address of the tenant. */
  @Get()
  @RequirePermission('billing:read')
  @InTenant()
  @Returns(BillingInfoView)
  get(@Actor() actor: ActingCaller): Promise<BillingInfoView> {
    return this.infos.get(actor);
  }

  /**
   * Changes the billing address of the tenant. Members that are left out stay unchanged. Issued invoices keep the old
   * address.
   */
  @Put()
  @RequirePermission('billing:manage')
  @Idempotent()
  @AuditedWhenChanged('billing_info_changed')
  @InTenant()
  @HonoursIfMatch()
  @Returns(BillingInfoView)
  put(
    @Actor() actor: ActingCaller,
    @Body() dto: UpdateBillingInfoDto,
    @IfMatch() precondition: Precondition,
  ): Promise<BillingInfoView> {
    return this.infos.put(actor, dto, precondition);
  }
}
