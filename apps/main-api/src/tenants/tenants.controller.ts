import { Body, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiExtraModels } from '@nestjs/swagger';
import {
  Actor,
  ANY_CALLER,
  CodeQuery,
  Creates,
  FailsWith,
  IfMatch,
  Lists,
  NamedListQuery,
  Reads,
  Routes,
  SESSION,
  Writes,
  WritesWhenChanged,
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

@ApiExtraModels(DeploymentTierView)
@Routes('tenants', 'Organization')
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
  @Lists(ANY_CALLER, TenantItem)
  list(@Actor() actor: ActingCaller, @Query() query: NamedListQuery): Promise<Page<TenantItem>> {
    return this.ownership.list(actor, query);
  }

  /** Creates a tenant of plan Basic that the caller owns, with the system roles, a division and an environment. */
  @Post()
  @Writes(SESSION, 'tenant_created')
  @Creates(TenantView, 'tenant')
  @FailsWith('plan_limit_reached')
  create(@Actor() actor: ActingCaller, @Body() dto: CreateTenantDto): Promise<Written<TenantView>> {
    return this.ownership.create(actor, dto);
  }

  /** Reads the tenant, with the limits and capabilities of its plan. */
  @Get(':tenant_id')
  @Reads('info:read', TenantView)
  get(@Actor() actor: ActingCaller): Promise<TenantView> {
    return this.tenants.get(actor);
  }

  /** Reads the subscription of the tenant: its plan, and since when it is valid. */
  @Get(':tenant_id/subscription')
  @Reads('subscription:read', PlanSubscriptionView)
  async subscription(@Actor() actor: ActingCaller): Promise<PlanSubscriptionView> {
    return (await this.tenants.get(actor)).subscription;
  }

  /**
   * Changes the tenant. Members that are left out stay unchanged. A change of `email` is mailed to the old address,
   * which also receives protection codes for another 24 hours.
   */
  @Put(':tenant_id')
  @WritesWhenChanged('info:manage', 'tenant_updated')
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
  @Writes(SESSION, 'tenant_deleted')
  @FailsWith('not_tenant_owner')
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
  @Reads(ANY_CALLER, StructureView)
  structure(@Actor() actor: ActingCaller): Promise<StructureView> {
    return this.structures.tree(actor);
  }

  /** Counts divisions, environments and deployments within the scope of the key. */
  @Get(':tenant_id/summary')
  @Reads(ANY_CALLER, SummaryView)
  summary(@Actor() actor: ActingCaller): Promise<SummaryView> {
    return this.structures.summary(actor);
  }
}
