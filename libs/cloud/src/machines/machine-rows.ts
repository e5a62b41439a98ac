import type { DeploymentId, MachineShortage, NodeId, NodeToPlace, PlacedNode } from '@libs/domain';

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
  place(node: NodeToPlace): Promise<PlacedNode | MachineShortage>;
  nodes(names: readonly string[]): Promise<PlacedNode[]>;
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
