import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  Actor,
  Audited,
  AuditedWhenChanged,
  CodeQuery,
  Creates,
  FailsWith,
  HonoursIfMatch,
  Idempotent,
  IfMatch,
  InDivision,
  InTenant,
  InTransaction,
  LocatedAt,
  NoContent,
  PageQuery,
  RequirePermission,
  Returns,
  ReturnsPageOf,
  WithinPlan,
  type ActingCaller,
  type Page,
} from '@libs/http';
import { Precondition, type Written } from '@libs/domain';
import { DivisionsService } from './divisions.service.js';
import { CreateDivisionDto } from './dto/create-division.dto.js';
import { DivisionView } from './dto/division.view.js';
import { UpdateDivisionDto } from './dto/update-division.dto.js';

@ApiTags('Organization')
@Controller('tenants/:tenant_id/divisions')
export class DivisionsController {
  constructor(private readonly divisions: DivisionsService) {}

  /** Creates a division. */
  @Post()
  @RequirePermission('division:manage')
  @Idempotent()
  @Audited('division_created')
  @InTenant()
  @Creates(DivisionView, 'division')
  @LocatedAt('/tenants/:tenant_id/divisions/:division')
  @WithinPlan('divisions_limit')
  @FailsWith('name_taken')
  create(@Actor() actor: ActingCaller, @Body() dto: CreateDivisionDto): Promise<Written<DivisionView>> {
    return this.divisions.create(actor, dto);
  }

  /** Lists the divisions that the caller may read. */
  @Get()
  @RequirePermission('division:read', { anywhere: true })
  @InTenant()
  @ReturnsPageOf(DivisionView)
  @FailsWith('validation_failed')
  list(@Actor() actor: ActingCaller, @Query() query: PageQuery): Promise<Page<DivisionView>> {
    return this.divisions.list(actor, query);
  }

  /** Reads one division. */
  @Get(':division_id')
  @RequirePermission('division:read')
  @InDivision()
  @Returns(DivisionView)
  get(@Actor() actor: ActingCaller): Promise<DivisionView> {
    return this.divisions.get(actor);
  }

  /** Changes a division; members that are left out stay unchanged. */
  @Put(':division_id')
  @RequirePermission('division:manage')
  @Idempotent()
  @AuditedWhenChanged('division_updated')
  @InDivision()
  @HonoursIfMatch()
  @NoContent()
  @FailsWith('name_taken')
  update(
    @Actor() actor: ActingCaller,
    @Body() dto: UpdateDivisionDto,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.divisions.update(actor, dto, precondition);
  }

  /** Deletes a division and its environments. The division must not contain deployments. */
  @Delete(':division_id')
  @RequirePermission('division:manage')
  @InTransaction()
  @Audited('division_deleted', 'environment_deleted')
  @InDivision()
  @HonoursIfMatch()
  @NoContent()
  @FailsWith('not_empty', 'protection_code_required', 'protection_code_invalid')
  delete(
    @Actor() actor: ActingCaller,
    @Query() { code }: CodeQuery,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.divisions.delete(actor, code, precondition);
  }
}
