import { Body, Delete, Get, Post, Query } from '@nestjs/common';
import {
  Actor,
  FailsWith,
  Lists,
  NoContent,
  PathId,
  Reads,
  Routes,
  WithinPlan,
  Writes,
  type ActingCaller,
  type Page,
} from '@libs/http';
import { type Written, type DiagnosticSnapshotId } from '@libs/domain';
import { CreateSnapshotDto } from './dto/create-snapshot.dto.js';
import { ListSnapshotsQuery } from './dto/list-snapshots.query.js';
import { SnapshotDownloadView, SnapshotView } from './dto/snapshot.view.js';
import { SnapshotsService } from './snapshots.service.js';

@Routes('deployments/:deployment_id/snapshots', 'Diagnostic snapshots', { snapshot_id: 'The snapshot.' })
export class SnapshotsController {
  constructor(private readonly snapshots: SnapshotsService) {}

  /** Lists the diagnostic snapshots of the deployment, newest first. */
  @Get()
  @Lists('deployment:read', SnapshotView)
  list(@Actor() actor: ActingCaller, @Query() query: ListSnapshotsQuery): Promise<Page<SnapshotView>> {
    return this.snapshots.list(actor, query);
  }

  /**
   * Collects diagnostic data from every node that responds. The list and the operation show the progress. The archive
   * contains `report.html`, facts as JSON, the last lines of all logs and, with `include_iggy`, the data of each
   * broker.
   */
  @Post()
  @Writes('deployment:manage', 'snapshot_created')
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
  @Reads('deployment:read', SnapshotDownloadView)
  @FailsWith('state_conflict')
  download(@Actor() actor: ActingCaller, @PathId() id: DiagnosticSnapshotId): Promise<SnapshotDownloadView> {
    return this.snapshots.download(actor, id);
  }

  /** Deletes a snapshot and its archive. A snapshot that is being taken cannot be deleted. */
  @Delete(':snapshot_id')
  @Writes('deployment:manage', 'snapshot_deleted')
  @NoContent('operation')
  @FailsWith('state_conflict')
  delete(@Actor() actor: ActingCaller, @PathId() id: DiagnosticSnapshotId): Promise<Written> {
    return this.snapshots.delete(actor, id);
  }
}
