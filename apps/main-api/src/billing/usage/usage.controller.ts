import { Get, Query } from '@nestjs/common';
import { Actor, Lists, Routes, type ActingCaller, type Page } from '@libs/http';
import { ChargeLineView } from '../dto/charges.view.js';
import { UsageQuery } from '../dto/usage.query.js';
import { UsageTotalsView } from '../dto/usage.view.js';
import { UsageService } from './usage.service.js';

@Routes('tenants/:tenant_id/billing/usage', 'Billing')
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  /**
   * Reads the usage and cost between two times, by deployment, highest cost first. A caller of one division sees that
   * division only. Compute and storage count up to now. Transfer counts up to the last full hour, or the hour before.
   */
  @Get()
  @Lists('billing:read', ChargeLineView, UsageTotalsView)
  list(@Actor() actor: ActingCaller, @Query() query: UsageQuery): Promise<Page<ChargeLineView>> {
    return this.usage.list(actor, query);
  }
}
