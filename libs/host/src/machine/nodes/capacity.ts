import type { NodeId } from '@libs/domain';
import type { JoinedMachine, MachineNode } from '@libs/domain/machine-protocol';
import { NodeFailed } from './node-failed.js';

type Size = Pick<MachineNode, 'memory_mib' | 'disk_gib'>;

/** The memory and the disk that nodes of this machine have. The gateway places nodes by the same numbers, so a refusal is rare. */
export class Capacity {
  private readonly taken = new Map<NodeId, Size>();

  constructor(private readonly machine: Pick<JoinedMachine, 'memory_mib' | 'disk_gib'>) {}

  /** Counts a node that already exists. It is never refused. */
  count(nodeId: NodeId, { memory_mib, disk_gib }: Size): void {
    this.taken.set(nodeId, { memory_mib, disk_gib });
  }

  /** Counts a new node. Throws NodeFailed when the machine has too little for it. */
  claim(nodeId: NodeId, size: Size): void {
    if (this.taken.has(nodeId)) return;
    this.require('memory_mib', 'MiB of memory', size);
    this.require('disk_gib', 'GiB of disk', size);
    this.count(nodeId, size);
  }

  release(nodeId: NodeId): void {
    this.taken.delete(nodeId);
  }

  private require(member: keyof Size, unit: string, size: Size): void {
    const used = [...this.taken.values()].reduce((sum, one) => sum + one[member], 0);
    if (used + size[member] <= this.machine[member]) return;
    throw new NodeFailed(
      `The node needs ${size[member]} ${unit}. The machine has ${this.machine[member]} for nodes, and other nodes use ${used}.`,
    );
  }
}
