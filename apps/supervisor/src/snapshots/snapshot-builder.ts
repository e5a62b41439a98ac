import { Injectable } from '@nestjs/common';
import type { DeploymentId } from '@libs/domain';
import type { TakenSnapshot } from '@libs/persistence/runtime';
import { snapshotArchive } from '../platform/index.js';
import type { CollectedNode } from './collected-node.js';
import { SnapshotArchiveWriter } from './snapshot-archive.writer.js';
import { SnapshotAssembly } from './snapshot-assembly.js';

/** Builds the archive of a snapshot from the collected data. Safe to repeat: replaces an earlier archive. */
@Injectable()
export class SnapshotBuilder {
  constructor(
    private readonly assembly: SnapshotAssembly,
    private readonly writer: SnapshotArchiveWriter,
  ) {}

  /** Returns the size of the archive in bytes. Null: the deployment no longer exists. */
  async build(
    deploymentId: DeploymentId,
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
