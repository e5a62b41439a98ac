import type { BrokerDriver, DeploymentId, MachineId, NodeId } from '@libs/domain';

/** A node that needs a machine. */
export interface NodeToPlace {
  name: string;
  node_id: NodeId;
  deployment_id: DeploymentId;
  incarnation: number;
  broker: BrokerDriver;
  region: string;
  zone: string;
  memory_mib: number;
  cpus: number;
  disk_gib: number;
  ports: number[];
  is_dedicated: boolean;
}

/** A node on a machine, as the machine reported it last. */
export interface NodeOnMachine {
  name: string;
  node_id: NodeId;
  deployment_id: DeploymentId;
  intent: 'present' | 'absent';
  state: 'pending' | 'active' | 'failed';
  reason: string | null;
  machine_id: MachineId;
  hostname: string;
  address: string;
  zone: string;
  /** The machine has not reported for a while. */
  is_silent: boolean;
}

/** What no machine of the zone has enough of. */
export type Shortage = 'machines' | 'memory' | 'processors' | 'disk' | 'empty machines';

/** A resource other than a node: a record without an effect. */
export interface PassiveResource {
  kind: string;
  name: string;
  deployment_id: DeploymentId;
  node_id: NodeId | null;
  spec: Record<string, unknown>;
}

/** The nodes on machines. The driver makes no calls but those of these two interfaces. */
export interface MachineNodes {
  /**
   * Places the node, or updates the node on its machine. A node keeps its machine. Concurrent calls never give a machine more
   * than it has. Returns what is short when no machine can take the node.
   */
  place(node: NodeToPlace): Promise<NodeOnMachine | Shortage>;
  nodes(names: readonly string[]): Promise<NodeOnMachine[]>;
  /** The machine is to remove the node. Has no effect without a row. */
  removeNode(name: string): Promise<void>;
}

/** The resources without an effect. */
export interface MachineRecords {
  put(resource: PassiveResource): Promise<void>;
  find(kind: string, names: readonly string[]): Promise<PassiveResource[]>;
  remove(kind: string, name: string): Promise<void>;
  /**
   * A page of all resources after `after`, with an empty specification for nodes. `next`: the last of a page that is full,
   * else null.
   */
  page(
    deploymentId: DeploymentId | null,
    after: ResourceKey | null,
    limit: number,
  ): Promise<{ resources: PassiveResource[]; next: ResourceKey | null }>;
}

type ResourceKey = Pick<PassiveResource, 'kind' | 'name'>;
