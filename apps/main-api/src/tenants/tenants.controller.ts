import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import {
  Actor,
  AnyCaller,
  Audited,
  AuditedWhenChanged,
  CodeQuery,
  Creates,
  FailsWith,
  HonoursIfMatch,
  Idempotent,
  IfMatch,
  InTenant,
  InTransaction,
  LocatedAt,
  NoContent,
  PageQuery,
  RequirePermission,
  Returns,
  ReturnsPageOf,
  SessionOnly,
  type ActingCaller,
  type Page,
} from '@libs/http';
import { Precondition, type Written } from '@libs/domain';
import { CreateTenantDto } from './dto/create-tenant.dto.js';
import { StructureView } from './dto/structure.view.js';
import { SummaryView } from './dto/summary.view.js';
import { TenantItem } from './dto/tenant-item.view.js';
import { DeploymentTierView, PlanSubscriptionView, TenantView } from './dto/tenant.view.js';
import { UpdateTenantDto } from './dto/update-tenant.dto.js';
import { StructureService } from './structure.service.js';
import { TenantOwnershipService } from './tenant-ownership.service.js';
import { TenantsService } from './tenants.service.js';

@ApiTags('Organization')
@ApiExtraModels(DeploymentTierView)
@Controller('tenants')
export class TenantsController {
  constructor(
    private readonly tenants: TenantsService,
    private readonly structures: StructureService,
    private readonly ownership: TenantOwnershipService,
  ) {}

  /**
   * Lists the tenants of the caller. A key sees its own tenant, and a session sees all tenants with an active
   * membership of the user.
   */
  @Get()
  @AnyCaller()
  @ReturnsPageOf(TenantItem)
  @FailsWith('validation_failed')
  list(@Actor() actor: ActingCaller, @Query() query: PageQuery): Promise<Page<TenantItem>> {
    return this.ownership.list(actor, query);
  }

  /** Creates a tenant of plan Basic that the caller owns, with the system roles, a division and an environment. */
  @Post()
  @SessionOnly()
  @Idempotent()
  @Audited('tenant_created')
  @Creates(TenantView, 'tenant')
  @LocatedAt('/tenants/:tenant')
  @FailsWith('plan_limit_reached')
  create(@Actor() actor: ActingCaller, @Body() dto: CreateTenantDto): Promise<Written<TenantView>> {
    return this.ownership.create(actor, dto);
  }

  /** Reads the tenant, with the limits and capabilities of its plan. */
  @Get(':tenant_id')
  @RequirePermission('info:read')
  @InTenant()
  @Returns(TenantView)
  get(@Actor() actor: ActingCaller): Promise<TenantView> {
    return this.tenants.get(actor);
  }

  /** Reads the subscription of the tenant: its plan, and since when it is valid. */
  @Get(':tenant_id/subscription')
  @RequirePermission('subscription:read')
  @InTenant()
  @Returns(PlanSubscriptionView)
  async subscription(@Actor() actor: ActingCaller): Promise<PlanSubscriptionView> {
    return (await this.tenants.get(actor)).subscription;
  }

  /**
   * Changes the tenant. Members that are left out stay unchanged. A change of `email` is mailed to the old address,
   * which also receives protection codes for another 24 hours.
   */
  @Put(':tenant_id')
  @RequirePermission('info:manage')
  @Idempotent()
  @AuditedWhenChanged('tenant_updated')
  @InTenant()
  @HonoursIfMatch()
  @NoContent()
  update(
    @Actor() actor: ActingCaller,
    @Body() dto: UpdateTenantDto,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.tenants.update(actor, dto, precondition);
  }

  /**
   * Deletes the tenant permanently, with its memberships and keys. Only the owner can delete the tenant, with a
   * one-time code.
   */
  @Delete(':tenant_id')
  @SessionOnly()
  @InTransaction()
  @Audited('tenant_deleted')
  @InTenant()
  @HonoursIfMatch()
  @NoContent()
  @FailsWith('tenant_not_found', 'not_tenant_owner')
  @FailsWith('protection_code_required', 'protection_code_invalid', 'not_empty')
  delete(
    @Actor() actor: ActingCaller,
    @Query() { code }: CodeQuery,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.ownership.delete(actor, code, precondition);
  }

  /** Reads the organization as a tree of divisions, environments and deployments within the scope of the key. */
  @Get(':tenant_id/structure')
  @AnyCaller()
  @InTenant()
  @Returns(StructureView)
  structure(@Actor() actor: ActingCaller): Promise<StructureView> {
    return this.structures.tree(actor);
  }

  /** Counts divisions, environments and deployments within the scope of the key. */
  @Get(':tenant_id/summary')
  @AnyCaller()
  @InTenant()
  @Returns(SummaryView)
  summary(@Actor() actor: ActingCaller): Promise<SummaryView> {
    return this.structures.summary(actor);
  }
}
