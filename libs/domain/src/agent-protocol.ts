import type { AccessRuleId, ConfigId, DeploymentId, NodeId } from './ids.js';
import type { NodeBrokerLimits } from './deployments/node-broker-limits.js';
import type { NodeCluster } from './deployments/node-cluster.js';
import type { NodeCredentials, RefusedLogins } from './deployments/node-credentials.js';
import type { ConnectorReport, NodeConnectors } from './deployments/node-connectors.js';
import type { NodeProxies } from './deployments/node-proxies.js';
import type { NodeOrder, OrderReport } from './node-orders.js';

/**
 * The protocol between a node agent and the gateway, over HTTPS that the agent opens (libs/host/src/node/README.md).
 *
 * The agent converges on a document; it receives no single commands. Routes: see AGENT_PATHS. Orders upload and download
 * with `/agent/v1/objects?order=&part=`. Requests: see deployments/node-requests.ts. Programs come from
 * `/agent/v1/artifacts/<sha256>`, which also accepts the one-time token of the node. An agent authenticates with `authorization:
 * Bearer <node id>.<secret>`. The gateway stores only the SHA-256 of the secret.
 *
 * Agents import this file through its own entry point, and from the rest of the domain only types. Each import of this
 * file costs memory on every node.
 */
export const AGENT_PATHS = {
  register: '/agent/v1/register',
  desired: '/agent/v1/desired',
  status: '/agent/v1/status',
  logs: '/agent/v1/logs',
  objects: '/agent/v1/objects',
  requests: '/agent/v1/requests',
  /** Followed by `/` and the sha256 of an artifact. */
  artifacts: '/agent/v1/artifacts',
  /** GET with `agent` (the sha256 of the artifact of an agent) and `processor`: PartsAnswer. Authenticated like `artifacts`. */
  parts: '/agent/v1/parts',
} as const;

/** Options of Node.js for an agent. They save 2 MiB of its 60, and there is an agent on every node. */
export const AGENT_NODE_OPTIONS = ['--optimize-for-size', '--max-semi-space-size=1'] as const;

/** Seconds that the gateway keeps a `desired` request open at most. Shorter than the idle timeouts of load balancers. */
export const DESIRED_WAIT_SECONDS = 25;
/** Maximum sizes of the bodies that the gateway reads, in bytes. */
export const STATUS_LIMIT_BYTES = 256 * 1024;
export const REGISTER_LIMIT_BYTES = 4 * 1024;
/**
 * Maximum lengths of the texts of a status, in UTF-16 units. The agent cuts longer texts and the gateway refuses them.
 * The database can store every text of the protocol (storable-text.ts).
 */
export const STATUS_TEXTS = { id: 64, error: 4_000, reason: 1_000, lastError: 500 } as const;
/** Rate limit of the status reports of one node: a sustained rate per second, and a burst. */
export const STATUS_RATE = { aSecond: 5, atOnce: 20 } as const;
/** Maximum size of a document that an agent accepts, in bytes. */
export const DOCUMENT_LIMIT_BYTES = 1024 * 1024;

/** Protocols for clients, named like the flags of the access rule (C-15.2). */
export const BROKER_PROTOCOLS = ['tcp', 'http', 'websocket', 'udp'] as const;
export type BrokerProtocol = (typeof BROKER_PROTOCOLS)[number];

/** The drivers of the brokers that a node can run. */
export const BROKER_DRIVERS = ['iggy', 'nats', 'embedded'] as const;
export type BrokerDriver = (typeof BROKER_DRIVERS)[number];

/** The protocols that each broker offers to clients. */
export const OFFERED_PROTOCOLS: Record<BrokerDriver, readonly BrokerProtocol[]> = {
  iggy: ['tcp', 'http', 'websocket'],
  nats: ['tcp', 'http', 'websocket'],
  embedded: ['tcp', 'http', 'websocket'],
};

/** One access rule as a node enforces it. The node ignores a rule after `valid_to`, by the server's time. */
export interface GateRule {
  id: AccessRuleId;
  cidrs: string[];
  protocols: BrokerProtocol[];
  /** ISO 8601; null: the rule has no end. */
  valid_to: string | null;
}

/** The addresses where a node listens. A null port means that the driver does not offer the protocol. */
export interface NodeListen {
  address: string;
  ports: Record<BrokerProtocol, number | null>;
  /** Port for other nodes: forwarded connections to an embedded leader, routes of nats. Null: no other node connects. */
  peer: number | null;
}

/** The TLS certificate of a node. Both members are PEM. */
export interface NodeCertificate {
  certificate: string;
  /** PKCS #8. */
  private_key: string;
}

/** The desired state of one node. Composed from rows without a clock, so that equal rows give equal bytes. */
export interface NodeSpec extends NodeCredentials, NodeProxies {
  node_id: NodeId;
  deployment_id: DeploymentId;
  name: string;
  broker: {
    driver: BrokerDriver;
    version: string;
    want: 'running' | 'stopped';
    config: { id: ConfigId; version: number; values: Record<string, unknown> };
    /** An increase requests one restart without another change. */
    restart: number;
  } & NodeBrokerLimits;
  listen: NodeListen;
  cluster: NodeCluster;
  access_rules: GateRule[];
  /** Absent while the deployment has no certificate: its nodes serve without TLS only. */
  certs?: NodeCertificate;
  /** Absent while no connector is activated. */
  connectors?: NodeConnectors;
  /** Absent while there are no orders. */
  orders?: NodeOrder[];
}

/**
 * The stored document. An agent accepts a document with a higher `timeline`, or with an equal `timeline` and a higher
 * `generation`. The agent refuses and reports the same generation with another hash.
 */
export interface NodeDocument {
  node_id: NodeId;
  timeline: number;
  generation: number;
  /** SHA-256 of the canonical JSON of `spec`, hex. */
  hash: string;
  /** Fences a replaced node: every write of the agent carries the epoch, and the gateway answers an older epoch with 409. */
  epoch: number;
  /** Trace of the change that published the document, 32 hex characters. Only for the logs, so not part of the hash. */
  trace_id?: string;
  spec: NodeSpec;
}

/** `POST register`. The agent creates and fsyncs its credential first, so it can repeat the request after a lost answer. */
export interface RegisterRequest {
  node_id: NodeId;
  /** One-time token, delivered with the node. Becomes invalid at the first authenticated call. */
  token: string;
  /** SHA-256 of the agent's own secret, hex. */
  credential_hash: string;
  agent_version: string;
  boot_id: string;
}

/** Every answer carries the server's time. Agents compare `valid_to` with this time, not with their own clock. */
export interface AgentAnswer {
  /** ISO 8601. */
  server_time: string;
  /** Milliseconds until the next status is due. The agent adds ± 20 %. */
  interval_ms: number;
}

export interface RegisterAnswer extends AgentAnswer {
  node_id: NodeId;
  epoch: number;
}

/** `GET desired?timeline=&since=&wait=` answers 200 with this, or 204 with header `ld-server-time`. */
export interface DesiredAnswer extends AgentAnswer {
  document: NodeDocument;
}

export const RUNTIME_STATUSES = ['starting', 'running', 'stopped', 'failed'] as const;
export type RuntimeStatus = (typeof RUNTIME_STATUSES)[number];

/** One process that the agent manages, as the node observes it. */
export interface RuntimeReport {
  runtime: 'broker' | 'connectors';
  status: RuntimeStatus;
  version: string;
  /** ISO 8601, start time of the process; null when the process does not run. */
  started_at: string | null;
  pid: number | null;
  restarts: number;
  /** Exit reason of the runtime when it failed to start or died; null otherwise. */
  last_error: string | null;
}

/** `POST status`: every `interval_ms` ± 20 %, and at once when a runtime's status or the observed generation changes. */
export interface StatusRequest {
  epoch: number;
  /** Increases by one with each status of one agent process. */
  seq: number;
  boot_id: string;
  agent_version: string;
  /** The newest document that the node has applied completely; zeros before the first. */
  observed: { timeline: number; generation: number; hash: string };
  runtimes: RuntimeReport[];
  /** Gauges by name, as far as the driver reports them: cpu_percent, memory_bytes, disk_bytes, clients, … */
  stats: Record<string, number>;
  gate: { mode: 'inline' | 'process' | 'nftables'; generation: number; clients: number };
  /** Reports of all connectors in the document. */
  connectors?: ConnectorReport[];
  /** Reports of all orders in the document that have ended. */
  orders?: OrderReport[];
  /** The last document that the node refused, until the node accepts another: two writers disagree, or one is behind. */
  refused?: { timeline: number; generation: number; hash: string; reason: string };
  refused_logins?: RefusedLogins[];
}

export interface StatusAnswer extends AgentAnswer {
  epoch: number;
}

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The runtimes that write log lines. */
export const LOG_RUNTIMES = ['broker', 'connectors', 'agent'] as const;
export type LogRuntime = (typeof LOG_RUNTIMES)[number];

/** Limits of a batch of log lines. */
export const LOG_LIMITS = {
  /** Lines of a batch. */
  lines: 500,
  /** Characters of a line. The rest is cut off. */
  messageLength: 4_000,
  /** Bytes of a batch, compressed and decompressed. */
  packedBytes: 512 * 1024,
  unpackedBytes: 4 * 1024 * 1024,
  /** Characters of a cursor. */
  cursorLength: 512,
} as const;

/** One log line, as the agent read it on the node. */
export interface LogLine {
  runtime: LogRuntime;
  level: LogLevel;
  /** Milliseconds since the epoch, by the server's clock. */
  at: number;
  message: string;
}

/**
 * `POST logs`, JSON in gzip. `after` is the position where the lines start, `cursor` the position where they end. The
 * gateway stores the cursor of each node and accepts only a batch that starts there. So a batch that is sent twice is
 * stored once. A restarted agent learns from the answer where to continue.
 */
export interface LogBatch {
  epoch: number;
  /** Null: the agent has no position. */
  after: string | null;
  cursor: string;
  lines: LogLine[];
}

export interface LogAnswer extends AgentAnswer {
  /** Position up to which the node's lines are stored. If it is not the batch's `cursor`, the batch was not accepted. */
  cursor: string | null;
}

/** The release of each broker that this release of Landlord contains. Null: the version is read from the installed binary. */
export const BROKER_RELEASES: Record<BrokerDriver, string | null> = { iggy: null, nats: null, embedded: '1.2.0' };
