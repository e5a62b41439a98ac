import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Actor, FailsWith, InTenant, RequirePermission, ReturnsPageOf, type ActingCaller, type Page } from '@libs/http';
import { ChargeLineView } from './dto/charges.view.js';
import { UsageQuery } from './dto/usage.query.js';
import { UsageTotalsView } from './dto/usage.view.js';
import { UsageService } from './usage.service.js';

@ApiTags('Billing')
@Controller('tenants/:tenant_id/billing/usage')
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  /**
   * Reads what was used between two moments and what it costs, by deployment, the dearest first. Who is scoped to a
   * division sees that division. Compute and storage count up to now, transfer up to the last full hour or two.
   */
  @Get()
  @RequirePermission('billing:read')
  @InTenant()
  @ReturnsPageOf(ChargeLineView, UsageTotalsView)
  @FailsWith('validation_failed')
  list(@Actor() actor: ActingCaller, @Query() query: UsageQuery): Promise<Page<ChargeLineView>> {
    return this.usage.list(actor, query);
  }
}
