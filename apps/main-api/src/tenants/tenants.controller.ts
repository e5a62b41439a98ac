import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import {
  Actor,
  AnyCaller,
  AuditedWhenChanged,
  HonoursIfMatch,
  Idempotent,
  IfMatch,
  InTenant,
  NoContent,
  RequirePermission,
  Returns,
  type ActingCaller,
} from '@libs/http';
import { StructureView } from './dto/structure.view.js';
import { SummaryView } from './dto/summary.view.js';
import { DeploymentTierView, TenantView } from './dto/tenant.view.js';
import { UpdateTenantDto } from './dto/update-tenant.dto.js';
import { StructureService } from './structure.service.js';
import { TenantsService } from './tenants.service.js';

@ApiTags('Organization')
@ApiExtraModels(DeploymentTierView)
@Controller('tenants/:tenant_id')
export class TenantsController {
  constructor(
    private readonly tenants: TenantsService,
    private readonly structures: StructureService,
  ) {}

  /** Reads the tenant, with the limits and capabilities of its plan. */
  @Get()
  @RequirePermission('info:read')
  @InTenant()
  @Returns(TenantView)
  get(@Actor() actor: ActingCaller): Promise<TenantView> {
    return this.tenants.get(actor);
  }

  /** Changes the tenant; members that are left out stay as they are. */
  @Put()
  @RequirePermission('info:manage')
  @Idempotent()
  @AuditedWhenChanged('tenant_updated')
  @InTenant()
  @HonoursIfMatch()
  @NoContent()
  update(@Actor() actor: ActingCaller, @Body() dto: UpdateTenantDto, @IfMatch() ifMatch?: string): Promise<void> {
    return this.tenants.update(actor, dto, ifMatch);
  }

  /** Reads the organization as a tree: divisions, environments and deployments, as far as the key may see them. */
  @Get('structure')
  @AnyCaller()
  @InTenant()
  @Returns(StructureView)
  structure(@Actor() actor: ActingCaller): Promise<StructureView> {
    return this.structures.tree(actor);
  }

  /** Counts what there is: divisions, environments and deployments, as far as the key may see them. */
  @Get('summary')
  @AnyCaller()
  @InTenant()
  @Returns(SummaryView)
  summary(@Actor() actor: ActingCaller): Promise<SummaryView> {
    return this.structures.summary(actor);
  }
}
