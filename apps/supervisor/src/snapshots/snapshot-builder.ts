import { Injectable } from '@nestjs/common';
import type { TakenSnapshot } from '@libs/persistence/runtime';
import { snapshotArchive } from '../platform/index.js';
import type { CollectedNode } from './collected-node.js';
import { SnapshotArchiveWriter } from './snapshot-archive.writer.js';
import { SnapshotAssembly } from './snapshot-assembly.js';

/** Makes the archive of a snapshot of what was collected. Safe to repeat: it replaces what was made before. */
@Injectable()
export class SnapshotBuilder {
  constructor(
    private readonly assembly: SnapshotAssembly,
    private readonly writer: SnapshotArchiveWriter,
  ) {}

  /** Answers the size of the archive in bytes; null when the deployment is gone. */
  async build(
    deploymentId: number,
    snapshot: TakenSnapshot,
    collected: readonly CollectedNode[],
    signal: AbortSignal,
  ): Promise<number | null> {
    const data = await this.assembly.assemble(deploymentId, snapshot, collected);
    if (!data) return null;
    const withData = collected.flatMap(({ node_id: id, data: key }) => (key === null ? [] : [[id, key] as const]));
    return this.writer.write(snapshotArchive(deploymentId, snapshot.id), data, new Map(withData), signal);
  }
}
