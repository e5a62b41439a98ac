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
  InEnvironment,
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
import { EnvironmentsService } from './environments.service.js';
import { CreateEnvironmentDto } from './dto/create-environment.dto.js';
import { EnvironmentView } from './dto/environment.view.js';
import { UpdateEnvironmentDto } from './dto/update-environment.dto.js';

@ApiTags('Organization')
@Controller('tenants/:tenant_id/divisions/:division_id/environments')
export class EnvironmentsController {
  constructor(private readonly environments: EnvironmentsService) {}

  /** Creates an environment. */
  @Post()
  @RequirePermission('environment:manage')
  @Idempotent()
  @Audited('environment_created')
  @InDivision()
  @Creates(EnvironmentView, 'environment')
  @LocatedAt('/tenants/:tenant_id/divisions/:division_id/environments/:environment')
  @WithinPlan('environments_limit', 'environments_per_division_limit')
  @FailsWith('name_taken')
  create(@Actor() actor: ActingCaller, @Body() dto: CreateEnvironmentDto): Promise<Written<EnvironmentView>> {
    return this.environments.create(actor, dto);
  }

  /** Lists the environments that the caller may read. */
  @Get()
  @RequirePermission('environment:read', { anywhere: true })
  @InDivision()
  @ReturnsPageOf(EnvironmentView)
  @FailsWith('validation_failed')
  list(@Actor() actor: ActingCaller, @Query() query: PageQuery): Promise<Page<EnvironmentView>> {
    return this.environments.list(actor, query);
  }

  /** Reads one environment. */
  @Get(':environment_id')
  @RequirePermission('environment:read')
  @InEnvironment()
  @Returns(EnvironmentView)
  get(@Actor() actor: ActingCaller): Promise<EnvironmentView> {
    return this.environments.get(actor);
  }

  /** Changes an environment; members that are left out stay unchanged. */
  @Put(':environment_id')
  @RequirePermission('environment:manage')
  @Idempotent()
  @AuditedWhenChanged('environment_updated')
  @InEnvironment()
  @HonoursIfMatch()
  @NoContent()
  @FailsWith('name_taken')
  update(
    @Actor() actor: ActingCaller,
    @Body() dto: UpdateEnvironmentDto,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.environments.update(actor, dto, precondition);
  }

  /** Deletes an environment that holds no deployments. */
  @Delete(':environment_id')
  @RequirePermission('environment:manage')
  @InTransaction()
  @Audited('environment_deleted')
  @InEnvironment()
  @HonoursIfMatch()
  @NoContent()
  @FailsWith('not_empty', 'protection_code_required', 'protection_code_invalid')
  delete(
    @Actor() actor: ActingCaller,
    @Query() { code }: CodeQuery,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.environments.delete(actor, code, precondition);
  }
}
