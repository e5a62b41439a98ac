import type { GateRule, LogLevel, LogRuntime, RuntimeReport, StatusRequest } from '../agent-protocol.js';

/** A process as its system sees it; null is what the system does not tell. */
export interface ProcessFacts {
  pid: number;
  started_at: string | null;
  rss_bytes: number | null;
  /** User and system, since its start. */
  cpu_seconds: number | null;
  threads: number | null;
  open_files: number | null;
  open_files_limit: number | null;
}

/** An address that was tried: whether somebody took the connection. */
export interface ProbedAddress {
  name: string;
  address: string;
  port: number;
  answers: boolean;
}

/** One line of a log. */
export interface DiagnosticLine {
  /** Milliseconds since the epoch, by the server's clock; null when the line tells none. */
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
  /** Means of 1, 5 and 15 minutes. */
  load: number[];
  memory_total_bytes: number;
  memory_free_bytes: number;
  /** Of the file system under the data directory; null when it cannot be asked. */
  disk_total_bytes: number | null;
  disk_free_bytes: number | null;
  uptime_seconds: number;
  /** Server time minus this machine's time. */
  clock_offset_ms: number;
}

/**
 * What a node tells about itself for a diagnostic snapshot: part `diagnostics` of the order `collect_diagnostics`, JSON in
 * gzip. Secrets were masked on the node unless the order said otherwise; the agent's own credential never leaves it.
 */
export interface NodeDiagnostics {
  format: 1;
  node_id: number;
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
    /** As the document wants it, and as the broker says. */
    broker_wanted: string;
    broker: string;
  };
  machine: MachineFacts;
  /** Of the agent and of what it keeps, by name. */
  processes: Record<string, ProcessFacts>;
  runtimes: RuntimeReport[];
  config: { id: number; version: number; values: Record<string, unknown> };
  limits: { memory_mib: number; storage_mib: number } | null;
  /** Of the agent's process. */
  environment: Record<string, string>;
  gate: { mode: StatusRequest['gate']['mode']; generation: number; rules: GateRule[] };
  cluster: { size: number; ordinal: number; leader: ProbedAddress | null; peers: ProbedAddress[] };
  /** Ports for clients. */
  ports: ProbedAddress[];
  data: {
    bytes: number;
    files: number;
    directories: number;
    /** By path below the data directory; not all of a large one. */
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
  /** What could not be told, and why; empty when all is there. */
  failures: { what: string; why: string }[];
}
