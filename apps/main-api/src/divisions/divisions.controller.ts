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
import { DivisionsQuery } from './dto/divisions.query.js';
import { Precondition, type Written } from '@libs/domain';
import { DivisionsService } from './divisions.service.js';
import { CreateDivisionDto } from './dto/create-division.dto.js';
import { DivisionView } from './dto/division.view.js';
import { UpdateDivisionDto } from './dto/update-division.dto.js';

@Routes('tenants/:tenant_id/divisions', 'Organization')
export class DivisionsController {
  constructor(private readonly divisions: DivisionsService) {}

  /** Creates a division. */
  @Post()
  @Writes('division:manage', 'division_created')
  @Creates(DivisionView, 'division')
  @WithinPlan('divisions_limit')
  @FailsWith('name_taken')
  create(@Actor() actor: ActingCaller, @Body() dto: CreateDivisionDto): Promise<Written<DivisionView>> {
    return this.divisions.create(actor, dto);
  }

  /** Lists the divisions that the caller may read. */
  @Get()
  @Lists(anywhere('division:read'), DivisionView)
  list(@Actor() actor: ActingCaller, @Query() query: DivisionsQuery): Promise<Page<DivisionView>> {
    return this.divisions.list(actor, query);
  }

  /** Reads one division. */
  @Get(':division_id')
  @Reads('division:read', DivisionView)
  get(@Actor() actor: ActingCaller): Promise<DivisionView> {
    return this.divisions.get(actor);
  }

  /** Changes a division; members that are left out stay unchanged. */
  @Put(':division_id')
  @WritesWhenChanged('division:manage', 'division_updated')
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
  @Writes('division:manage', 'division_deleted', 'environment_deleted')
  @FailsWith('not_empty', 'protection_code_required', 'protection_code_invalid')
  delete(
    @Actor() actor: ActingCaller,
    @Query() { code }: CodeQuery,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.divisions.delete(actor, code, precondition);
  }
}
