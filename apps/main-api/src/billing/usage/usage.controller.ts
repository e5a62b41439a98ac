import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Actor, FailsWith, InTenant, RequirePermission, ReturnsPageOf, type ActingCaller, type Page } from '@libs/http';
import { ChargeLineView } from '../dto/charges.view.js';
import { UsageQuery } from '../dto/usage.query.js';
import { UsageTotalsView } from '../dto/usage.view.js';
import { UsageService } from './usage.service.js';

@ApiTags('Billing')
@Controller('tenants/:tenant_id/billing/usage')
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  /**
   * Reads the usage and cost between two times, by deployment, highest cost first. A caller of one division sees that
   * division only. Compute and storage count up to now. Transfer counts up to the last full hour, or the hour before.
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
