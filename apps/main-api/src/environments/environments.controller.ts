import { Body, Delete, Get, Post, Put, Query } from '@nestjs/common';
import {
  Actor,
  anywhere,
  CodeQuery,
  Creates,
  FailsWith,
  IfMatch,
  Lists,
  Reads,
  Routes,
  WithinPlan,
  Writes,
  WritesWhenChanged,
  type ActingCaller,
  type Page,
} from '@libs/http';
import { EnvironmentsQuery } from './dto/environments.query.js';
import { Precondition, type Written } from '@libs/domain';
import { EnvironmentsService } from './environments.service.js';
import { CreateEnvironmentDto } from './dto/create-environment.dto.js';
import { EnvironmentView } from './dto/environment.view.js';
import { UpdateEnvironmentDto } from './dto/update-environment.dto.js';

@Routes('tenants/:tenant_id/divisions/:division_id/environments', 'Organization')
export class EnvironmentsController {
  constructor(private readonly environments: EnvironmentsService) {}

  /** Creates an environment. */
  @Post()
  @Writes('environment:manage', 'environment_created')
  @Creates(EnvironmentView, 'environment')
  @WithinPlan('environments_limit', 'environments_per_division_limit')
  @FailsWith('name_taken')
  create(@Actor() actor: ActingCaller, @Body() dto: CreateEnvironmentDto): Promise<Written<EnvironmentView>> {
    return this.environments.create(actor, dto);
  }

  /** Lists the environments that the caller may read. */
  @Get()
  @Lists(anywhere('environment:read'), EnvironmentView)
  list(@Actor() actor: ActingCaller, @Query() query: EnvironmentsQuery): Promise<Page<EnvironmentView>> {
    return this.environments.list(actor, query);
  }

  /** Reads one environment. */
  @Get(':environment_id')
  @Reads('environment:read', EnvironmentView)
  get(@Actor() actor: ActingCaller): Promise<EnvironmentView> {
    return this.environments.get(actor);
  }

  /** Changes an environment; members that are left out stay unchanged. */
  @Put(':environment_id')
  @WritesWhenChanged('environment:manage', 'environment_updated')
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
  @Writes('environment:manage', 'environment_deleted')
  @FailsWith('not_empty', 'protection_code_required', 'protection_code_invalid')
  delete(
    @Actor() actor: ActingCaller,
    @Query() { code }: CodeQuery,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.environments.delete(actor, code, precondition);
  }
}
