import type { BrokerDriver } from '../agent-protocol.js';
import type { DeploymentId, MachineId, NodeId } from '../ids.js';
import type { MachineNodeState } from './machine-protocol.js';

/** A node that needs a machine. */
export interface NodeToPlace {
  /** The name of the resource. */
  name: string;
  node_id: NodeId;
  deployment_id: DeploymentId;
  /** Counts the replacements of the node. */
  incarnation: number;
  broker: BrokerDriver;
  region: string;
  zone: string;
  memory_mib: number;
  cpus: number;
  disk_gib: number;
  ports: number[];
  /** The node must be alone on its machine, with nodes of its deployment at most. */
  is_dedicated: boolean;
}

/** A node on a machine, as the machine reported it last. */
export interface PlacedNode {
  name: string;
  node_id: NodeId;
  deployment_id: DeploymentId;
  intent: 'present' | 'absent';
  state: Exclude<MachineNodeState, 'gone'>;
  reason: string | null;
  machine_id: MachineId;
  hostname: string;
  address: string;
  zone: string;
  /** The machine has not reported for a while. */
  is_silent: boolean;
}

/** What no machine of the zone has enough of. */
export type MachineShortage = 'machines' | 'memory' | 'processors' | 'disk' | 'empty machines';

const MISSING: Record<MachineShortage, string> = {
  machines: 'accepts nodes',
  memory: 'has enough memory for the node',
  processors: 'has enough processors for the node',
  disk: 'has enough disk for the node',
  'empty machines': 'is free for a dedicated node',
};

/** Why a node stays on its machine, for people. */
export const noCapacityElsewhere = (shortage: MachineShortage, zone: string): string =>
  `no other machine of ${zone} ${MISSING[shortage]}`;
