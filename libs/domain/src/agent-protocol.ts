import type { ConnectorReport, NodeConnectors } from './deployments/node-connectors.js';
import type { NodeOrder, OrderReport } from './node-orders.js';

/**
 * What a node agent and the gateway say to each other, over HTTPS that the agent opens (docs/architecture.md, "Nodes").
 *
 * The agent converges on a document; it is never told what to do step by step. Routes: `POST /agent/v1/register`,
 * `GET /agent/v1/desired`, `POST /agent/v1/status`, `POST /agent/v1/logs`; what orders upload and download travels by
 * `PUT` and `GET /agent/v1/objects?order=&part=`. An agent authenticates with
 * `authorization: Bearer <node id>.<secret>`; the gateway stores only the SHA-256 of the secret.
 *
 * Agents import this file by its own door and nothing else of the domain but types: what it imports, every node pays for.
 */
export const AGENT_PATHS = {
  register: '/agent/v1/register',
  desired: '/agent/v1/desired',
  status: '/agent/v1/status',
  logs: '/agent/v1/logs',
  objects: '/agent/v1/objects',
} as const;

/** Longest time, in seconds, that the gateway parks a `desired` request. Below the idle limits of load balancers. */
export const DESIRED_WAIT_SECONDS = 25;
/** Largest bodies that the gateway reads, in bytes. */
export const STATUS_LIMIT_BYTES = 256 * 1024;
export const REGISTER_LIMIT_BYTES = 4 * 1024;
/**
 * Longest texts of a status, in UTF-16 units. The agent cuts what is longer, and the gateway refuses it: every text of the
 * protocol is one that the database stores (storable-text.ts).
 */
export const STATUS_TEXTS = { id: 64, error: 4_000, reason: 1_000 } as const;
/** Reports that a node may send: so many each second for long, and so many at once. */
export const STATUS_RATE = { aSecond: 5, atOnce: 20 } as const;
/** Largest document an agent accepts, in bytes. */
export const DOCUMENT_LIMIT_BYTES = 1024 * 1024;

/** Client-facing protocols, in the words of the access rule's flags (C-15.2). */
export const BROKER_PROTOCOLS = ['tcp', 'http', 'websocket', 'udp'] as const;
export type BrokerProtocol = (typeof BROKER_PROTOCOLS)[number];

/** The names of the brokers a node can run. */
export const BROKER_DRIVERS = ['iggy', 'nats', 'embedded'] as const;
export type BrokerDriver = (typeof BROKER_DRIVERS)[number];

/** What clients can reach each broker by. */
export const OFFERED_PROTOCOLS: Record<BrokerDriver, readonly BrokerProtocol[]> = {
  iggy: ['tcp', 'http', 'websocket', 'udp'],
  nats: ['tcp', 'http', 'websocket'],
  embedded: ['tcp', 'http', 'websocket'],
};

/** One access rule as a node enforces it. A rule is ignored once `valid_to` has passed, by the server's time. */
export interface GateRule {
  id: number;
  cidrs: string[];
  protocols: BrokerProtocol[];
  /** ISO 8601 or null for no end. */
  valid_to: string | null;
}

/** Where a node listens. A null port means that the driver does not offer the protocol. */
export interface NodeListen {
  address: string;
  ports: Record<BrokerProtocol, number | null>;
  /** Port for the other nodes: of an embedded leader for carried connections, of nats for routes; null without need. */
  peer: number | null;
}

/** What a node shows clients that ask for TLS. Both are PEM. */
export interface NodeCertificate {
  certificate: string;
  /** PKCS #8. */
  private_key: string;
}

/** The desired state of one node, composed from rows without a clock, so that equal rows make equal bytes. */
export interface NodeSpec {
  node_id: number;
  deployment_id: number;
  name: string;
  broker: {
    driver: BrokerDriver;
    version: string;
    want: 'running' | 'stopped';
    config: { id: number; version: number; values: Record<string, unknown> };
    /** Raised to ask for one restart without any other change. */
    restart: number;
    /** What the broker may use, enforced on the node; absent for a node from before they were given. */
    limits?: { memory_mib: number; storage_mib: number };
  };
  listen: NodeListen;
  cluster: {
    size: number;
    /** 1 to size; node 1 leads an embedded cluster. */
    ordinal: number;
    /** Where the leader takes carried connections; null on the leader itself. */
    leader: { host: string; port: number } | null;
    /** Where the other nodes take routes, by ordinal; absent for a driver whose nodes do not talk to each other. */
    peers?: { host: string; port: number }[];
    /** Shared by the nodes of one deployment only; proves that a connection comes from one of its nodes. */
    secret: string;
  };
  credentials: { username: string; password: string; version: number };
  access_rules: GateRule[];
  /** Absent while the deployment has none: its nodes speak plain only. */
  certs?: NodeCertificate;
  /** Absent while no connector is activated. */
  connectors?: NodeConnectors;
  /** Absent while there are none. */
  orders?: NodeOrder[];
}

/**
 * The stored document. An agent takes it when `timeline` is higher than the one it holds, or equal with a higher
 * `generation`; the same generation with another hash is refused and reported.
 */
export interface NodeDocument {
  node_id: number;
  timeline: number;
  generation: number;
  /** SHA-256 of the canonical JSON of `spec`, hex. */
  hash: string;
  /** Fences a replaced node: every write of the agent carries it, and an older one is answered 409. */
  epoch: number;
  /** Trace of the change that published it, 32 hex characters; for the logs, so no part of the hash. */
  trace_id?: string;
  spec: NodeSpec;
}

/** `POST register`: the agent makes and fsyncs its credential first, so a lost answer is repaired by repeating. */
export interface RegisterRequest {
  node_id: number;
  /** One-time token, delivered with the node; dies at the first authenticated call. */
  token: string;
  /** SHA-256 of the agent's own secret, hex. */
  credential_hash: string;
  agent_version: string;
  boot_id: string;
}

/** Every answer carries the server's time: agents use it, not their own clock, for `valid_to`. */
export interface AgentAnswer {
  /** ISO 8601. */
  server_time: string;
  /** Milliseconds until the next status is wanted; the agent adds ± 20 %. */
  interval_ms: number;
}

export interface RegisterAnswer extends AgentAnswer {
  node_id: number;
  epoch: number;
}

/** `GET desired?timeline=&since=&wait=` answers 200 with this, or 204 with header `ld-server-time`. */
export interface DesiredAnswer extends AgentAnswer {
  document: NodeDocument;
}

export const RUNTIME_STATUSES = ['starting', 'running', 'stopped', 'failed'] as const;
export type RuntimeStatus = (typeof RUNTIME_STATUSES)[number];

/** One process that the agent looks after, as the node sees it. */
export interface RuntimeReport {
  runtime: 'broker' | 'connectors';
  status: RuntimeStatus;
  version: string;
  /** ISO 8601, of the process; null when it does not run. */
  started_at: string | null;
  pid: number | null;
  restarts: number;
  /** The runtime's own last words when it failed to start or died; null otherwise. */
  last_error: string | null;
}

/** `POST status`, every `interval_ms` ± 20 % and at once when a runtime's status or the observed generation changes. */
export interface StatusRequest {
  epoch: number;
  /** Grows by one with each status of one agent process. */
  seq: number;
  boot_id: string;
  agent_version: string;
  /** The newest document the node has applied wholly; zeros before the first. */
  observed: { timeline: number; generation: number; hash: string };
  runtimes: RuntimeReport[];
  /** Gauges by name, as far as the driver knows them: cpu_percent, memory_bytes, disk_bytes, clients, … */
  stats: Record<string, number>;
  gate: { mode: 'inline' | 'process' | 'nftables'; generation: number; clients: number };
  /** Of all connectors in the document. */
  connectors?: ConnectorReport[];
  /** Of all orders in the document that have come to an end. */
  orders?: OrderReport[];
  /** The last document that the node would not take, until it takes another: two writers disagree, or one is behind. */
  refused?: { timeline: number; generation: number; hash: string; reason: string };
}

export interface StatusAnswer extends AgentAnswer {
  epoch: number;
}

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Whose lines they are. */
export const LOG_RUNTIMES = ['broker', 'connectors', 'agent'] as const;
export type LogRuntime = (typeof LOG_RUNTIMES)[number];

/** What a batch of lines may hold. */
export const LOG_LIMITS = {
  /** Lines of a batch. */
  lines: 500,
  /** Characters of a line; the rest is cut off. */
  messageLength: 4_000,
  /** Bytes of a batch as it is sent, and unpacked. */
  packedBytes: 512 * 1024,
  unpackedBytes: 4 * 1024 * 1024,
  /** Characters of a cursor. */
  cursorLength: 512,
} as const;

/** One line, as it was read on the node. */
export interface LogLine {
  runtime: LogRuntime;
  level: LogLevel;
  /** Milliseconds since the epoch, by the server's clock. */
  at: number;
  message: string;
}

/**
 * `POST logs`, JSON in gzip. `after` names where the agent had read to when the lines begin, `cursor` where they end; the
 * gateway keeps the cursor of each node and takes only a batch that begins there. So one that is sent twice is stored
 * once, and an agent that starts anew learns from the answer where to go on.
 */
export interface LogBatch {
  epoch: number;
  /** Null: the agent does not know. */
  after: string | null;
  cursor: string;
  lines: LogLine[];
}

export interface LogAnswer extends AgentAnswer {
  /** Where the node's lines are stored up to; another than the batch's own cursor: it was not taken. */
  cursor: string | null;
}

/** The release of each broker that this release of Landlord carries; null: taken from the installed binary. */
export const BROKER_RELEASES: Record<BrokerDriver, string | null> = { iggy: null, nats: null, embedded: '1.2.0' };
