import { Module } from '@nestjs/common';
import { DownloadLinks } from './download-links.js';
import { DownloadsController } from './downloads.controller.js';
import { SnapshotArchives } from './snapshot-archives.js';
import { SnapshotRequests } from './snapshot-requests.js';
import { SnapshotsController } from './snapshots.controller.js';
import { SnapshotsService } from './snapshots.service.js';

@Module({
  controllers: [SnapshotsController, DownloadsController],
  providers: [SnapshotRequests, SnapshotsService, SnapshotArchives, DownloadLinks],
})
export class SnapshotsModule {}
