import { Module } from '@nestjs/common';
import { DownloadLinks } from './download-links.js';
import { DownloadsController } from './downloads.controller.js';
import { NodeBundles } from './node-bundles.js';
import { SnapshotArchiveWriter } from './snapshot-archive.writer.js';
import { SnapshotArchives } from './snapshot-archives.js';
import { SnapshotAssembly } from './snapshot-assembly.js';
import { SnapshotBuilder } from './snapshot-builder.js';
import { SnapshotFacts } from './snapshot-facts.js';
import { SnapshotHousekeeper } from './snapshot-housekeeper.js';
import { SnapshotLogs } from './snapshot-logs.js';
import { SnapshotRequests } from './snapshot-requests.js';
import { SnapshotSeries } from './snapshot-series.js';
import { SnapshotsController } from './snapshots.controller.js';
import { SnapshotsService } from './snapshots.service.js';

@Module({
  controllers: [SnapshotsController, DownloadsController],
  providers: [SnapshotRequests, SnapshotsService, SnapshotArchives, DownloadLinks],
})
export class SnapshotsModule {}

/** How archives are made, for the workflow that takes snapshots. */
@Module({
  providers: [
    ...[NodeBundles, SnapshotFacts, SnapshotLogs, SnapshotSeries],
    ...[SnapshotAssembly, SnapshotArchiveWriter, SnapshotBuilder],
  ],
  exports: [SnapshotBuilder],
})
export class SnapshotBuildingModule {}

/** What is done with snapshots by itself, for the processes that work. */
@Module({ providers: [SnapshotHousekeeper] })
export class SnapshotKeepingModule {}
