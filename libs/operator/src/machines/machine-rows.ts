import type { DeploymentId } from '@libs/domain';
import type { Machine, MachineNode } from '@libs/persistence/operator';
import type { Deployment } from '@libs/persistence/organization';
import type { Node } from '@libs/persistence/runtime';

/** The node that a machine was made for. No other node is placed there. */
export interface ReservedFor {
  /** The name of the node at the cloud. */
  name: string;
  /** Null: the node no longer exists. */
  node: Node['name'] | null;
  deployment_id: DeploymentId | null;
  deployment: Deployment['name'] | null;
}

/** A machine as operator commands show it. */
export interface OperatorMachine extends Pick<
  Machine,
  | 'id'
  | 'cell'
  | 'region'
  | 'zone'
  | 'hostname'
  | 'address'
  | 'processor'
  | 'cpus'
  | 'memory_mib'
  | 'disk_gib'
  | 'status'
  | 'agent_version'
  | 'agent_sha256'
  | 'agent_refusal'
  | 'generation'
  | 'observed_generation'
  | 'joined_at'
  | 'last_seen_at'
  | 'removed_at'
> {
  nodes: number;
  /** What the placed nodes may use in all. */
  placed_memory_mib: number;
  placed_disk_gib: number;
  /** Null: the machine takes every node. */
  reserved_for: ReservedFor | null;
}

/** A node on a machine. */
export interface NodeOnMachine
  extends
    Pick<MachineNode, 'node_id' | 'deployment_id' | 'broker' | 'intent' | 'state'>,
    Pick<Node, 'name' | 'status'> {
  deployment: Deployment['name'];
  /** No node outside of the machine is certain to have the data of the deployment. */
  has_only_copy: boolean;
  /** Why the node cannot leave a draining machine now, apart from the capacity of other machines. Null: no such reason. */
  obstacle: string | null;
}
