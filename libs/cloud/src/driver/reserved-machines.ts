import type { NodeToPlace, PlacedNode } from '@libs/domain';
import type { ResourceState, ResourceTags } from '../cloud-provider.js';
import type { NodeResourceSpec } from '../resource-specs.js';

/** The machine that an instance makes, as the gateway sees it. */
export interface ReservedMachine {
  /** Of the node that the machine was made for. */
  incarnation: number;
  /** `expected`: the machine has not joined. `removed`: an operator has removed the machine. */
  machine: 'expected' | 'joined' | 'removed';
  /** Null unless the machine has joined. */
  node: PlacedNode | null;
}

/** The machines that join for one node each. The driver holds the node in all calls that write. */
export interface ReservedMachines {
  /**
   * Expects a machine for the node, and returns the token with which the machine joins: `<id>.<secret>`. The token stays the same until
   * the machine has joined. Another incarnation or zone gets another token: the earlier machine is removed, and the earlier token is
   * invalid.
   */
  offer(node: NodeToPlace): Promise<string>;
  /** Gives the node its new size and ports, and lets an expected machine join for 30 more minutes. */
  update(node: NodeToPlace): Promise<void>;
  /** By the name of the node. A node without a reservation is missing. */
  find(names: readonly string[]): Promise<Map<string, ReservedMachine>>;
  /** The machine is gone for certain. No machine joins for the node after that. */
  release(name: string): Promise<void>;
}

/** Whether the data of a node is on the disks of its machine, and ends with it. */
export const isLocal = (storage: string): boolean => storage === 'local_ssd';

/** The machine that joins for the node. */
export function nodeToPlace(name: string, { deployment_id }: ResourceTags, spec: NodeResourceSpec): NodeToPlace {
  const { node_id, incarnation, broker, region, zone, memory_mib, cpus, ports } = spec;
  return {
    ...{ name, node_id, deployment_id, incarnation, broker, region, zone },
    ...{ memory_mib, cpus, disk_gib: spec.storage.size_gib, ports, is_dedicated: true },
  };
}

/**
 * The state of a node whose instance runs. `active`: the cloud has nothing more to do. Whether the agent reports is the matter of the
 * gateway, and the reason says so.
 */
export function joinedState(
  id: string,
  machine: ReservedMachine | undefined,
): { state: ResourceState; reason?: string } {
  if (machine === undefined || machine.machine === 'expected')
    return { state: 'active', reason: `the instance ${id} runs and has not joined yet` };
  if (machine.machine === 'removed') return { state: 'failed', reason: `an operator has removed the machine of ${id}` };
  const { node } = machine;
  if (node?.is_silent) return { state: 'active', reason: `the machine of the instance ${id} does not report` };
  if (node && node.state !== 'active' && node.reason) return { state: 'active', reason: node.reason };
  return { state: 'active' };
}
