import type { BrokerDriver } from '../agent-protocol.js';
import type { DeploymentId, MachineId, NodeId, NodeOrderId } from '../ids.js';
import type { SourceDisk } from '../node-orders.js';

/**
 * The protocol between a machine agent and the gateway, over HTTPS that the machine agent opens
 * (apps/supervisor/src/gateway/machines/README.md).
 *
 * A machine is a host that runs nodes of several deployments. Its agent converges on one document: the nodes that must exist on
 * the machine. It starts and ends nodes; what runs in a node is the matter of the node's own agent (agent-protocol.ts).
 * A machine agent authenticates with `authorization: Bearer machine <machine id>.<secret>`. The gateway stores only the SHA-256 of
 * the secret.
 */
export const MACHINE_PATHS = {
  /** POST JoinRequest, answers JoinAnswer. The only route that takes a join token. */
  join: '/agent/v1/machines/join',
  /** GET with `since` (a generation) and `wait` (seconds): MachineDocumentAnswer, or 204 when nothing is newer. */
  desired: '/agent/v1/machines/desired',
  /** POST MachineStatus. */
  status: '/agent/v1/machines/status',
  /**
   * GET with `processor`, before the join: one line `<name> <sha256> <entry>` for each member of MachinePrograms, as text for a shell.
   * The authorization is `Bearer join <join token>`, or the credential of a machine. `/agent/v1/artifacts/<sha256>` accepts both, too.
   */
  programs: '/agent/v1/machines/programs',
  /** GET without a credential: the certificate of the authority that signs the gateway's certificate, as PEM. */
  authority: '/agent/v1/machines/ca.pem',
  /** GET without a credential: the script that makes a host a machine. */
  script: '/agent/v1/machines/join.sh',
} as const;

export const MACHINE_STATUS_LIMIT_BYTES = 256 * 1024;
export const JOIN_LIMIT_BYTES = 8 * 1024;
/** Nodes on one machine at most. */
export const NODES_OF_A_MACHINE = 200;

/** Exit code of a machine agent that a restart does not help: the join is refused, or an operator has removed the machine. */
export const MACHINE_REFUSED_EXIT_CODE = 78;

export const PROCESSORS = ['x64', 'arm64'] as const;
export type Processor = (typeof PROCESSORS)[number];

/** What a machine says about itself. The operator can limit memory and disk when the machine joins. */
export interface JoinedMachine {
  hostname: string;
  processor: Processor;
  /** Processors of the host. */
  cpus: number;
  /** MiB that nodes may use in all. */
  memory_mib: number;
  /** GiB that nodes may use in all, on the file system of the nodes' directories. */
  disk_gib: number;
  /** The address at which clients and other machines reach the nodes of this machine. */
  address: string;
}

export interface JoinRequest {
  /** `<token id>.<secret>`, as the operator's command printed it. */
  token: string;
  /** SHA-256 of the machine's own secret, hexadecimal. The machine stores the secret before it sends this. */
  credential_hash: string;
  agent_version: string;
  machine: JoinedMachine;
}

export interface JoinAnswer {
  machine_id: MachineId;
  installation: string;
  region: string;
  zone: string;
}

/** A program of the machine: an artifact by its sha256, and the file in it that starts. */
export interface MachineProgram {
  sha256: string;
  /** Relative to the unpacked archive. */
  entry: string;
}

/** Entry file of the machine agent in the artifact of the agents. */
export const MACHINE_AGENT_ENTRY = 'machine.main.js';

/**
 * Seconds that a new program of a machine agent, or of the agent of a node, has until the gateway must have accepted a status of it. Time in
 * which the gateway cannot be reached does not count.
 */
export const AGENT_TRIAL_SECONDS = 120;

/** The programs of all nodes of the machine, for its processor. Absent: the installation has no such artifact. */
export interface MachinePrograms {
  /** The bundle with the agents and the gates. */
  agent: MachineProgram;
  node?: MachineProgram;
  nats?: MachineProgram;
  iggy?: MachineProgram;
  /** The files of the embedded broker, over those of `agent`. */
  embedded?: MachineProgram;
}

/** A node that must exist on the machine, or must not. */
export interface MachineNode {
  node_id: NodeId;
  deployment_id: DeploymentId;
  /** Counts the replacements of the node. An agent of an earlier incarnation is ended, and its directory is deleted. */
  incarnation: number;
  intent: 'present' | 'absent';
  broker: BrokerDriver;
  memory_mib: number;
  cpus: number;
  disk_gib: number;
  /** Ports of the node's processes. Closed when the node is gone. */
  ports: number[];
  /** One-time token for the registration of the node's agent. Empty: the agent has registered, or the intent is `absent`. */
  token: string;
  /** Data that the machine agent copies into the directory of the node. Absent: none. */
  copy?: DiskCopy;
}

/** The data of an open order `restore_data` with a disk (node-orders.ts). Only root can read another disk. */
export interface DiskCopy extends SourceDisk {
  order: NodeOrderId;
}

export interface MachineDocument {
  machine_id: MachineId;
  /** Grows with each change. */
  generation: number;
  /** `agent` is also the program of the machine agent itself, unless the machine agent does not run from an artifact. */
  programs: MachinePrograms;
  /** Counts the attempts with the program `agent`. A refusal by the machine is for one attempt. */
  agent_attempt: number;
  agent_trial_seconds: number;
  /** Whether connectors of the nodes may send to private addresses. */
  allow_private_destinations: boolean;
  nodes: MachineNode[];
}

export interface MachineDocumentAnswer {
  document: MachineDocument;
}

/** `gone`: no process, port, directory, user or unit of the node is left on the machine. */
export const MACHINE_NODE_STATES = ['pending', 'active', 'failed', 'gone'] as const;
export type MachineNodeState = (typeof MACHINE_NODE_STATES)[number];

export interface MachineNodeStatus {
  node_id: NodeId;
  incarnation: number;
  state: MachineNodeState;
  /** Why the state is not `active`. At most 1,000 UTF-16 units. */
  reason?: string;
  /** The program that the node's agent was started with. */
  agent_sha256?: string;
}

/** A program to which the machine agent did not change. */
export interface RefusedAgent {
  sha256: string;
  attempt: number;
  /** At most 1,000 UTF-16 units. */
  reason: string;
}

/** The program of the machine agent. */
export interface MachineAgentProgram {
  /** Null: the machine agent does not run from an artifact, so it does not replace itself. */
  sha256: string | null;
  refused: RefusedAgent | null;
}

export interface MachineStatus {
  /** The generation of the document that these states are about. */
  generation: number;
  agent_version: string;
  agent: MachineAgentProgram;
  machine: JoinedMachine;
  nodes: MachineNodeStatus[];
}
