import type {
  LogLevel,
  LogRuntime,
  MetricName,
  NodeDiagnostics,
  RuntimeReport,
  AccessRuleId,
  ActivityId,
  BackupId,
  ConfigId,
  DeploymentId,
  DiagnosticSnapshotId,
  NodeId,
  OperationId,
} from '@libs/domain';

/** One log line. The format is short because there are many: milliseconds since the epoch or null, level, message. */
export type ReportLine = [at: number | null, level: LogLevel, message: string];

export interface ReportLog {
  node_id: NodeId;
  runtime: LogRuntime;
  /** The origin of the lines: the node itself, or the lines in the database from before the node became silent. */
  source: 'node' | 'database';
  /** Whether older lines were omitted. */
  is_cut: boolean;
  /** Oldest first. */
  lines: ReportLine[];
}

/** Values of one runtime of one node over a window, by metric. Null without a reported value. */
export interface ReportSeries {
  node_id: NodeId;
  runtime: 'broker' | 'connectors';
  window: 'day' | 'week';
  /** Seconds since the epoch, ascending. */
  at: number[];
  values: Partial<Record<MetricName, (number | null)[]>>;
}

/** A node: its data in the database, and its own report. */
export interface ReportNode {
  id: NodeId;
  name: string;
  ordinal: number;
  role: string;
  driver: string;
  version: string;
  variant: string | null;
  status: string;
  status_reason: string | null;
  agent_version: string | null;
  zone: string | null;
  memory_mib: number | null;
  /** GB. */
  storage_size: number;
  last_seen_at: string | null;
  silent_seconds: number | null;
  unreachable_since: string | null;
  is_stopped: boolean;
  wanted_generation: number | null;
  observed_generation: number;
  runtimes: RuntimeReport[];
  gauges: Record<string, number>;
  alerts: string[];
  minutes_heard: number;
  longest_gap_seconds: number | null;
  warnings: number;
  errors: number;
  log_drops: number;
  /** The report without its logs, which are stored separately. Null for a node without a report. */
  told: Omit<NodeDiagnostics, 'logs'> | null;
  /** Why there is no report. Null when there is one. */
  missing: string | null;
  /** Name of the file with its data in the archive. Null without data. */
  data_file: string | null;
}

export interface ReportRule {
  id: AccessRuleId;
  name: string;
  cidr_blocks: string[];
  protocols: string[];
  valid_to: string | null;
}

export interface ReportConfig {
  id: ConfigId;
  name: string;
  version: number;
  is_primary: boolean;
  runtime_version: string;
  created_at: string;
  values: Record<string, unknown>;
}

export interface ReportOperation {
  id: OperationId;
  type: string;
  status: string;
  step: string;
  reason: string | null;
  last_error: string | null;
  created_at: string;
  finished_at: string | null;
  /** Only open incidents. */
  incident: { kind: string; detail: string; opened_at: string } | null;
}

export interface ReportActivity {
  id: ActivityId;
  runtime: string;
  action: string;
  node_id: NodeId;
  status: string;
  error: string | null;
  created_at: string;
  finished_at: string | null;
}

export interface ReportBackup {
  id: BackupId;
  name: string;
  status: string;
  size_bytes: number;
  created_at: string;
  completed_at: string | null;
}

/** All data of a report. Times are ISO 8601 unless noted otherwise. */
export interface SnapshotData {
  format: 1;
  snapshot: {
    id: DiagnosticSnapshotId;
    name: string;
    /** The time of the request, and the time when all data was collected. */
    created_at: string;
    built_at: string;
    is_redacted: boolean;
    wants_data: boolean;
  };
  deployment: {
    id: DeploymentId;
    name: string;
    code: string;
    cloud: string;
    region: string;
    tier: string;
    availability_mode: string;
    storage_type: string;
    storage_size: number;
    status: string;
    status_reason: string | null;
    status_since: string;
    network_mode: string | null;
    credentials_since: string | null;
    /** Whether backups are possible for it. */
    can_be_backed_up: boolean;
  };
  nodes: ReportNode[];
  series: ReportSeries[];
  access_rules: ReportRule[];
  configs: ReportConfig[];
  operations: ReportOperation[];
  activities: ReportActivity[];
  backups: ReportBackup[];
  logs: ReportLog[];
}
