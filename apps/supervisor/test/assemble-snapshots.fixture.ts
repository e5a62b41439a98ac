import type { ObjectStore } from '@libs/object-store';
import type { Database, Secrets } from '@libs/persistence';
import { NodeBundles } from '../src/snapshots/node-bundles.js';
import { SnapshotArchiveWriter } from '../src/snapshots/snapshot-archive.writer.js';
import { SnapshotAssembly } from '../src/snapshots/snapshot-assembly.js';
import { SnapshotBuilder } from '../src/snapshots/snapshot-builder.js';
import { SnapshotFacts } from '../src/snapshots/snapshot-facts.js';
import { SnapshotLogs } from '../src/snapshots/snapshot-logs.js';
import { SnapshotSeries } from '../src/snapshots/snapshot-series.js';

/** Creates the builder with the dependencies of the module. */
export function assembleSnapshots(setup: {
  database: Database;
  secrets: Secrets;
  store: ObjectStore;
}): SnapshotBuilder {
  const { database, secrets, store } = setup;
  const facts = new SnapshotFacts(database, secrets);
  const [logs, series] = [new SnapshotLogs(database), new SnapshotSeries(database)];
  const assembly = new SnapshotAssembly(database, new NodeBundles(store), facts, logs, series);
  return new SnapshotBuilder(assembly, new SnapshotArchiveWriter(store));
}
