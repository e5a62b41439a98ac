import type { ConfigId, NodeId } from '../ids.js';
import type { GateRule, LogLevel, LogRuntime, RuntimeReport, StatusRequest } from '../agent-protocol.js';

/** A process as the operating system reports it. Null: the system does not report the value. */
export interface ProcessFacts {
  pid: number;
  started_at: string | null;
  rss_bytes: number | null;
  /** User and system time since the start of the process. */
  cpu_seconds: number | null;
  threads: number | null;
  open_files: number | null;
  open_files_limit: number | null;
}

/** The result of a connection attempt to one address. */
export interface ProbedAddress {
  name: string;
  address: string;
  port: number;
  answers: boolean;
}

/** One line of a log. */
export interface DiagnosticLine {
  /** Milliseconds since the epoch, by the server's clock. Null: the line has no time. */
  at: number | null;
  level: LogLevel;
  message: string;
}

export interface DiagnosticLog {
  runtime: LogRuntime;
  /** Oldest first. */
  lines: DiagnosticLine[];
  /** Whether older lines were left out. */
  is_cut: boolean;
}

export interface MachineFacts {
  cpus: number;
  /** Averages over 1, 5 and 15 minutes. */
  load: number[];
  memory_total_bytes: number;
  memory_free_bytes: number;
  /** The file system of the data directory. Null: the system does not report the value. */
  disk_total_bytes: number | null;
  disk_free_bytes: number | null;
  uptime_seconds: number;
  /** Server time minus this machine's time. */
  clock_offset_ms: number;
}

/**
 * What a node reports about itself for a diagnostic snapshot: part `diagnostics` of the order `collect_diagnostics`,
 * JSON in gzip. The node masks secrets unless the order disables this. The agent's own credential never leaves the
 * node.
 */
export interface NodeDiagnostics {
  format: 1;
  node_id: NodeId;
  /** ISO 8601, by the server's clock. */
  taken_at: string;
  is_redacted: boolean;
  versions: {
    agent: string;
    node_js: string;
    os: string;
    kernel: string;
    arch: string;
    broker_driver: string;
    /** The version in the document, and the version that the broker reports. */
    broker_wanted: string;
    broker: string;
  };
  machine: MachineFacts;
  /** The agent and the processes that it manages, by name. */
  processes: Record<string, ProcessFacts>;
  runtimes: RuntimeReport[];
  config: { id: ConfigId; version: number; values: Record<string, unknown> };
  limits: { memory_mib: number; storage_mib: number } | null;
  /** Environment of the agent's process. */
  environment: Record<string, string>;
  gate: { mode: StatusRequest['gate']['mode']; generation: number; rules: GateRule[] };
  cluster: { size: number; ordinal: number; leader: ProbedAddress | null; peers: ProbedAddress[] };
  /** Ports for clients. */
  ports: ProbedAddress[];
  data: {
    bytes: number;
    files: number;
    directories: number;
    /** By path below the data directory. Incomplete for a large directory. */
    entries: { path: string; bytes: number }[];
  };
  document: {
    wanted: { timeline: number; generation: number; hash: string };
    observed: { timeline: number; generation: number; hash: string };
    want: 'running' | 'stopped';
    credentials_version: number;
  };
  gauges: Record<string, number>;
  logs: DiagnosticLog[];
  /** Data that the node could not collect, with the reason. Empty when everything is included. */
  failures: { what: string; why: string }[];
}
