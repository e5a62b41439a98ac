import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readFileIfAny, writePrivateFile } from '../../os/private-file.js';
import type { NodeId, NodeOrderId } from '@libs/domain';
import type { MachineNode, MachinePrograms } from '@libs/domain/machine-protocol';

/** A node of which something may exist on this machine. */
export type NodeRecord = Pick<MachineNode, 'node_id' | 'incarnation' | 'ports' | 'memory_mib' | 'disk_gib'> & {
  /** The folders of the programs that the node was last started with. */
  programs: string[];
  /** The artifacts of its agent. */
  agent: AgentArtifacts;
  /** The last order whose data was copied from another disk. Its copy is not made again. */
  copied?: NodeOrderId;
};

/** The artifacts whose files lie in one folder with the agent. */
export type AgentArtifacts = Pick<MachinePrograms, 'agent' | 'embedded'>;

/**
 * The nodes of which something may exist, one file each. A record is durable before anything of its node exists, and is removed after
 * nothing of the node is left. So a node without a record has no process, no port and no directory.
 */
export class NodeRecords {
  private readonly held = new Map<NodeId, NodeRecord>();

  constructor(private readonly directory: string) {}

  /** Reads the records of an earlier start. */
  async load(): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    const names = (await readdir(this.directory)).filter((name) => /^\d+\.json$/.test(name));
    for (const name of names) {
      const record = JSON.parse((await readFileIfAny(join(this.directory, name))) ?? 'null') as NodeRecord | null;
      if (record !== null) this.held.set(record.node_id, record);
    }
  }

  get all(): NodeRecord[] {
    return [...this.held.values()];
  }

  find(nodeId: NodeId): NodeRecord | null {
    return this.held.get(nodeId) ?? null;
  }

  async write(record: NodeRecord): Promise<void> {
    await writePrivateFile(this.path(record.node_id), JSON.stringify(record));
    this.held.set(record.node_id, record);
  }

  async remove(nodeId: NodeId): Promise<void> {
    await rm(this.path(nodeId), { force: true });
    this.held.delete(nodeId);
  }

  private path(nodeId: NodeId): string {
    return join(this.directory, `${nodeId}.json`);
  }
}
