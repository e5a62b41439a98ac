import type { ObjectStore } from '@libs/object-store';
import type { Database, Secrets } from '@libs/persistence';
import { NodeBundles } from './node-bundles.js';
import { SnapshotArchiveWriter } from './snapshot-archive.writer.js';
import { SnapshotAssembly } from './snapshot-assembly.js';
import { SnapshotBuilder } from './snapshot-builder.js';
import { SnapshotFacts } from './snapshot-facts.js';
import { SnapshotLogs } from './snapshot-logs.js';
import { SnapshotSeries } from './snapshot-series.js';

/** Wired as the module does it. */
export function assembleSnapshots(ground: {
  database: Database;
  secrets: Secrets;
  store: ObjectStore;
}): SnapshotBuilder {
  const { database, secrets, store } = ground;
  const facts = new SnapshotFacts(database, secrets);
  const [logs, series] = [new SnapshotLogs(database), new SnapshotSeries(database)];
  const assembly = new SnapshotAssembly(database, new NodeBundles(store), facts, logs, series);
  return new SnapshotBuilder(assembly, new SnapshotArchiveWriter(store));
}
