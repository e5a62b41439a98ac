import { Get } from '@nestjs/common';
import { Actor, anywhere, Reads, Routes, type ActingCaller } from '@libs/http';
import { HealthSummaryView } from './health-summary.view.js';
import { SummariesService } from './summaries.service.js';

@Routes('tenants/:tenant_id', 'Summaries')
export class SummariesController {
  constructor(private readonly summaries: SummariesService) {}

  /** Reads the health of the tenant's deployments in this cell, within the caller's scope. */
  @Get('summary')
  @Reads(anywhere('deployment:read'), HealthSummaryView)
  ofTenant(@Actor() actor: ActingCaller): Promise<HealthSummaryView> {
    return this.summaries.health(actor, null);
  }

  /** Reads the health of the division's deployments in this cell, within the caller's scope. */
  @Get('divisions/:division_id/summary')
  @Reads(anywhere('deployment:read'), HealthSummaryView)
  ofDivision(@Actor() actor: ActingCaller): Promise<HealthSummaryView> {
    return this.summaries.health(actor, actor.division.id);
  }
}
