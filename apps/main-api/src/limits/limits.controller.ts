import { Get } from '@nestjs/common';
import { Actor, Reads, Routes, type ActingCaller } from '@libs/http';
import { LimitsView } from './dto/limits.view.js';
import { LimitsService } from './limits.service.js';

@Routes('tenants/:tenant_id/limits', 'Organization')
export class LimitsController {
  constructor(private readonly limits: LimitsService) {}

  /** Reads the limits of the plan, with their usage. */
  @Get()
  @Reads('info:read', LimitsView)
  get(@Actor() actor: ActingCaller): Promise<LimitsView> {
    return this.limits.of(actor.tenantId);
  }
}
