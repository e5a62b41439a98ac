import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import {
  Actor,
  FailsWith,
  InTenant,
  RequirePermission,
  Returns,
  ReturnsPageOf,
  type ActingCaller,
  type Page,
} from '@libs/http';
import { OperationView } from './operation.view.js';
import { OperationsQuery, WaitQuery } from './operations.query.js';
import { OperationsService } from './operations.service.js';

/** Long work (fills 6); the same in both APIs. */
@ApiTags('Operations')
@Controller('tenants/:tenant_id/operations')
export class OperationsController {
  constructor(private readonly operations: OperationsService) {}

  /** Lists operations, newest first, filtered to the deployments that the caller may read. */
  @Get()
  @RequirePermission('deployment:read', { anywhere: true })
  @InTenant()
  @ReturnsPageOf(OperationView)
  @FailsWith('validation_failed')
  list(@Actor() actor: ActingCaller, @Query() query: OperationsQuery): Promise<Page<OperationView>> {
    return this.operations.list(actor, query);
  }

  /** Reads one operation; with `wait`, answers as soon as it has ended, or after so many seconds. */
  @Get(':operation_id')
  @RequirePermission('deployment:read', { anywhere: true })
  @InTenant()
  @ApiParam({ name: 'operation_id', description: 'The operation.', schema: { type: 'integer', format: 'int64' } })
  @Returns(OperationView)
  @FailsWith('operation_not_found', 'validation_failed')
  get(
    @Actor() actor: ActingCaller,
    @Param('operation_id') id: string,
    @Query() { wait }: WaitQuery,
  ): Promise<OperationView> {
    return this.operations.get(actor, id, wait);
  }
}
