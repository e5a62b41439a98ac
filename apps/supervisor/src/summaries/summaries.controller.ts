import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Actor, InDivision, InTenant, RequirePermission, Returns, type ActingCaller } from '@libs/http';
import { HealthSummaryView } from './health-summary.view.js';
import { SummariesService } from './summaries.service.js';

@ApiTags('Summaries')
@Controller('tenants/:tenant_id')
export class SummariesController {
  constructor(private readonly summaries: SummariesService) {}

  /** Reads the health of the tenant's deployments in this cell, within the caller's scope. */
  @Get('summary')
  @RequirePermission('deployment:read', { anywhere: true })
  @InTenant()
  @Returns(HealthSummaryView)
  ofTenant(@Actor() actor: ActingCaller): Promise<HealthSummaryView> {
    return this.summaries.health(actor, null);
  }

  /** Reads the health of the division's deployments in this cell, within the caller's scope. */
  @Get('divisions/:division_id/summary')
  @RequirePermission('deployment:read', { anywhere: true })
  @InDivision()
  @Returns(HealthSummaryView)
  ofDivision(@Actor() actor: ActingCaller): Promise<HealthSummaryView> {
    return this.summaries.health(actor, actor.division.id);
  }
}
