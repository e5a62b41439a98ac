import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  Actor,
  Audited,
  FailsWith,
  Idempotent,
  InTransaction,
  NoContent,
  OfDeployment,
  OfTheDeployment,
  PathId,
  RequirePermission,
  Returns,
  ReturnsPageOf,
  WithinPlan,
  type ActingCaller,
  type Page,
} from '@libs/http';
import { type Written, type DiagnosticSnapshotId } from '@libs/domain';
import { CreateSnapshotDto } from './dto/create-snapshot.dto.js';
import { ListSnapshotsQuery } from './dto/list-snapshots.query.js';
import { SnapshotDownloadView, SnapshotView } from './dto/snapshot.view.js';
import { SnapshotsService } from './snapshots.service.js';

@ApiTags('Diagnostic snapshots')
@Controller('deployments/:deployment_id/snapshots')
export class SnapshotsController {
  constructor(private readonly snapshots: SnapshotsService) {}

  /** Lists the diagnostic snapshots of the deployment, newest first. */
  @Get()
  @RequirePermission('deployment:read')
  @OfDeployment()
  @ReturnsPageOf(SnapshotView)
  list(@Actor() actor: ActingCaller, @Query() query: ListSnapshotsQuery): Promise<Page<SnapshotView>> {
    return this.snapshots.list(actor, query);
  }

  /**
   * Collects diagnostic data from every node that responds. The list and the operation show the progress. The archive
   * contains `report.html`, facts as JSON, the last lines of all logs and, with `include_iggy`, the data of each
   * broker.
   */
  @Post()
  @RequirePermission('deployment:manage')
  @Idempotent()
  @Audited('snapshot_created')
  @OfDeployment()
  @NoContent('snapshot', 'operation')
  @WithinPlan('deployment_snapshots_limit', 'snapshot_retention_days')
  @FailsWith('state_conflict')
  create(@Actor() actor: ActingCaller, @Body() dto: CreateSnapshotDto): Promise<Written> {
    return this.snapshots.create(actor, dto);
  }

  /**
   * Returns an address of the archive that works for five minutes without a key. Everybody with the address can read
   * the archive.
   */
  @Get(':snapshot_id/download')
  @RequirePermission('deployment:read')
  @OfTheDeployment('snapshot', 'The snapshot.')
  @Returns(SnapshotDownloadView)
  @FailsWith('state_conflict')
  download(
    @Actor() actor: ActingCaller,
    @PathId('snapshot_id') id: DiagnosticSnapshotId,
  ): Promise<SnapshotDownloadView> {
    return this.snapshots.download(actor, id);
  }

  /** Deletes a snapshot and its archive. A snapshot that is being taken cannot be deleted. */
  @Delete(':snapshot_id')
  @RequirePermission('deployment:manage')
  @InTransaction()
  @Audited('snapshot_deleted')
  @OfTheDeployment('snapshot', 'The snapshot.')
  @NoContent('operation')
  @FailsWith('state_conflict')
  delete(@Actor() actor: ActingCaller, @PathId('snapshot_id') id: DiagnosticSnapshotId): Promise<Written> {
    return this.snapshots.delete(actor, id);
  }
}
