import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Actor, InTenant, RequirePermission, Returns, type ActingCaller } from '@libs/http';
import { LimitsView } from './dto/limits.view.js';
import { LimitsService } from './limits.service.js';

@ApiTags('Organization')
@Controller('tenants/:tenant_id/limits')
export class LimitsController {
  constructor(private readonly limits: LimitsService) {}

  /** Reads the limits of the plan, with their usage. */
  @Get()
  @RequirePermission('info:read')
  @InTenant()
  @Returns(LimitsView)
  get(@Actor() actor: ActingCaller): Promise<LimitsView> {
    return this.limits.of(actor.tenantId);
  }
}
