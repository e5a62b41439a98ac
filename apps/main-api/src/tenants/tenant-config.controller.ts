import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  Actor,
  AuditedWhenChanged,
  FailsWith,
  HonoursIfMatch,
  Idempotent,
  IfMatch,
  InTenant,
  NoContent,
  RequirePermission,
  Returns,
  type ActingCaller,
} from '@libs/http';
import { Precondition } from '@libs/domain';
import { TenantConfigView } from './dto/tenant-config.view.js';
import { UpdateTenantConfigDto } from './dto/update-tenant-config.dto.js';
import { TenantConfigService } from './tenant-config.service.js';

@ApiTags('Organization')
@Controller('tenants/:tenant_id/config')
export class TenantConfigController {
  constructor(private readonly configs: TenantConfigService) {}

  /** Reads the settings for joining the tenant and for invitations. */
  @Get()
  @RequirePermission('settings:read')
  @InTenant()
  @Returns(TenantConfigView)
  get(@Actor() actor: ActingCaller): Promise<TenantConfigView> {
    return this.configs.get(actor);
  }

  /** Replaces the three settings. A request without a change publishes no event. */
  @Put()
  @RequirePermission('settings:manage')
  @Idempotent()
  @AuditedWhenChanged('tenant_config_updated')
  @InTenant()
  @HonoursIfMatch()
  @NoContent()
  @FailsWith('tenant_has_no_email_domain')
  update(
    @Actor() actor: ActingCaller,
    @Body() dto: UpdateTenantConfigDto,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.configs.update(actor, dto, precondition);
  }
}
