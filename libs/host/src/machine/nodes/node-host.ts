import type { NodeId } from '@libs/domain';
import type { DiskCopy, MachineNode } from '@libs/domain/machine-protocol';
import type { NodePrograms } from '../programs/machine-programs.js';

/** A node to start: its programs are whole on the disk. */
export interface StartableNode {
  node: MachineNode;
  programs: NodePrograms;
  allowPrivateDestinations: boolean;
}

/** Starts and ends nodes on this machine. Each call is safe to repeat after any crash. Rejects with NodeFailed or CloudError. */
export interface NodeHost {
  /** Whether the node's agent works. */
  answers(nodeId: NodeId): Promise<boolean>;
  /** Whether a process of the node exists: its agent, or one that an agent left running. */
  isRunning(nodeId: NodeId): Promise<boolean>;
  /** Starts the node's agent, which starts the rest. Returns whether the agent works within the boot time. */
  start(node: StartableNode, signal: AbortSignal): Promise<boolean>;
  /**
   * Starts the copy of data from another disk into the directory of the node, or looks at it. False: the copy continues. The agent of the
   * node finds the data, or the reason of a failure (copiedData). Null: no copy is wanted, and a copy that was begun ends.
   */
  copyData(nodeId: NodeId, copy: DiskCopy | null): Promise<boolean>;
  /** Ends the agent of the node. Its brokers continue, and the next agent finds them. */
  endAgent(nodeId: NodeId, signal: AbortSignal): Promise<void>;
  /** Ends all processes of the node, and keeps its data. */
  stop(nodeId: NodeId, signal: AbortSignal): Promise<void>;
  /** Ends all processes of the node, verifies that its ports are closed, and deletes everything of the node. */
  destroy(node: Pick<MachineNode, 'node_id' | 'ports'>, signal: AbortSignal): Promise<void>;
}
