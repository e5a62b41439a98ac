import { Module } from '@nestjs/common';
import { NodeBundles } from './node-bundles.js';
import { SnapshotArchiveWriter } from './snapshot-archive.writer.js';
import { SnapshotAssembly } from './snapshot-assembly.js';
import { SnapshotBuilder } from './snapshot-builder.js';
import { SnapshotFacts } from './snapshot-facts.js';
import { SnapshotLogs } from './snapshot-logs.js';
import { SnapshotSeries } from './snapshot-series.js';

/** Builds archives, for the workflow that takes snapshots. */
@Module({
  providers: [
    ...[NodeBundles, SnapshotFacts, SnapshotLogs, SnapshotSeries],
    ...[SnapshotAssembly, SnapshotArchiveWriter, SnapshotBuilder],
  ],
  exports: [SnapshotBuilder],
})
export class SnapshotBuildingModule {}
