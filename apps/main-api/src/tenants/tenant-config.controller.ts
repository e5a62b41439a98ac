import { Body, Get, Put } from '@nestjs/common';
import { Actor, FailsWith, IfMatch, Reads, Routes, WritesWhenChanged, type ActingCaller } from '@libs/http';
import { Precondition } from '@libs/domain';
import { TenantConfigView } from './dto/tenant-config.view.js';
import { UpdateTenantConfigDto } from './dto/update-tenant-config.dto.js';
import { TenantConfigService } from './tenant-config.service.js';

@Routes('tenants/:tenant_id/config', 'Organization')
export class TenantConfigController {
  constructor(private readonly configs: TenantConfigService) {}

  /** Reads the settings for joining the tenant and for invitations. */
  @Get()
  @Reads('settings:read', TenantConfigView)
  get(@Actor() actor: ActingCaller): Promise<TenantConfigView> {
    return this.configs.get(actor);
  }

  /** Replaces the three settings. A request without a change publishes no event. */
  @Put()
  @WritesWhenChanged('settings:manage', 'tenant_config_updated')
  @FailsWith('tenant_has_no_email_domain')
  update(
    @Actor() actor: ActingCaller,
    @Body() dto: UpdateTenantConfigDto,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.configs.update(actor, dto, precondition);
  }
}
