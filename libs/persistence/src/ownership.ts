/** The two apps that write. Each has a database role with only the rights of this list. */
export type WritingApp = 'main_api' | 'supervisor';

/**
 * The writer of a table:
 * - an app: only that app inserts, updates and deletes. With `born`, the other app inserts the first row in the transaction of
 *   the request, because the row must be readable at once. After that only the owner updates the row.
 * - `append`: both apps insert, or only the app in `by`. No app updates or deletes (ledger tables).
 * - `both`: a library writes on behalf of both apps (the workflow engine, idempotency, the outbox relay).
 * - `migration`: only migrations and operator commands write.
 */
export type Ownership =
  { writer: WritingApp; born?: WritingApp } | { writer: 'append'; by?: WritingApp } | { writer: 'both' | 'migration' };

export const OWNERSHIP = {
  installation: { writer: 'migration' },
  migrations: { writer: 'migration' },
  schema_requirements: { writer: 'migration' },
  cells: { writer: 'supervisor' },
  cell_processes: { writer: 'supervisor' },
  idempotency_records: { writer: 'both' },
  incidents: { writer: 'both' },
  operator_actions: { writer: 'migration' },
  users: { writer: 'main_api' },
  sessions: { writer: 'main_api' },
  email_tokens: { writer: 'main_api' },
  sign_in_locks: { writer: 'main_api' },
  login_codes: { writer: 'main_api' },
  invitations: { writer: 'main_api' },
  cancelled_invitations: { writer: 'main_api' },
  ownership_transfers: { writer: 'main_api' },
  join_requests: { writer: 'main_api' },
  tenants: { writer: 'main_api' },
  payment_methods: { writer: 'main_api' },
  invoice_agreements: { writer: 'main_api' },
  roles: { writer: 'main_api' },
  members: { writer: 'main_api' },
  member_roles: { writer: 'main_api' },
  divisions: { writer: 'main_api' },
  environments: { writer: 'main_api' },
  deployments: { writer: 'main_api' },
  deployment_upgrades: { writer: 'main_api' },
  api_keys: { writer: 'main_api' },
  api_key_uses: { writer: 'both' },
  rate_counts: { writer: 'both' },
  cloud_accounts: { writer: 'main_api' },
  protection_codes: { writer: 'main_api' },
  mails: { writer: 'main_api' },
  notification_channels: { writer: 'main_api' },
  channel_confirmations: { writer: 'main_api' },
  notification_subscriptions: { writer: 'main_api' },
  notification_lanes: { writer: 'main_api' },
  notification_deliveries: { writer: 'main_api' },
  schedules: { writer: 'both' },
  deployment_runtimes: { writer: 'supervisor', born: 'main_api' },
  deployment_credentials: { writer: 'supervisor', born: 'main_api' },
  nodes: { writer: 'supervisor', born: 'main_api' },
  deployment_accounts: { writer: 'supervisor', born: 'main_api' },
  account_validations: { writer: 'supervisor' },
  node_ports: { writer: 'supervisor' },
  cloud_resources: { writer: 'supervisor' },
  node_revivals: { writer: 'supervisor' },
  agent_rollouts: { writer: 'supervisor' },
  machines: { writer: 'supervisor' },
  machine_tokens: { writer: 'supervisor' },
  machine_reservations: { writer: 'supervisor' },
  machine_nodes: { writer: 'supervisor' },
  machine_resources: { writer: 'supervisor' },
  aws_resources: { writer: 'supervisor' },
  cloud_call_slots: { writer: 'supervisor' },
  node_documents: { writer: 'supervisor' },
  certificate_authorities: { writer: 'supervisor' },
  deployment_certificates: { writer: 'supervisor' },
  access_rules: { writer: 'supervisor', born: 'main_api' },
  configs: { writer: 'supervisor', born: 'main_api' },
  config_versions: { writer: 'supervisor' },
  connector_instances: { writer: 'supervisor', born: 'main_api' },
  tasks: { writer: 'supervisor', born: 'main_api' },
  activities: { writer: 'supervisor' },
  login_refusals: { writer: 'supervisor' },
  node_orders: { writer: 'supervisor' },
  node_requests: { writer: 'supervisor' },
  backups: { writer: 'supervisor' },
  backup_schedules: { writer: 'supervisor' },
  backup_snapshots: { writer: 'supervisor' },
  diagnostic_snapshots: { writer: 'supervisor' },
  private_connections: { writer: 'supervisor' },
  private_connection_consumers: { writer: 'supervisor' },
  node_heartbeats: { writer: 'supervisor' },
  node_metrics: { writer: 'supervisor' },
  node_metric_rollups: { writer: 'supervisor' },
  node_logs: { writer: 'supervisor' },
  node_log_cursors: { writer: 'supervisor' },
  node_alerts: { writer: 'supervisor' },
  telemetry_rollup: { writer: 'supervisor' },
  operations: { writer: 'both' },
  operation_steps: { writer: 'both' },
  operation_events: { writer: 'both' },
  audit_entries: { writer: 'append' },
  audit_unsealed: { writer: 'main_api' },
  audit_seals: { writer: 'append', by: 'main_api' },
  audit_counters: { writer: 'main_api' },
  outbox: { writer: 'main_api', born: 'supervisor' },
  metering_intervals: { writer: 'append' },
  metering_transfers: { writer: 'append', by: 'supervisor' },
  transfer_marks: { writer: 'supervisor' },
  billing_months: { writer: 'main_api' },
  billing_reports: { writer: 'main_api' },
  billing_report_lines: { writer: 'main_api' },
  invoices: { writer: 'main_api' },
  billing_infos: { writer: 'main_api' },
} as const satisfies Record<string, Ownership>;

export type OwnedTable = keyof typeof OWNERSHIP;

/** The rights one app has on one table, as SQL privileges. */
export function privileges(table: OwnedTable, app: WritingApp): string[] {
  const ownership: Ownership = OWNERSHIP[table];
  if (ownership.writer === app || ownership.writer === 'both') return ['select', 'insert', 'update', 'delete'];
  const appends = ownership.writer === 'append' && (ownership.by ?? app) === app;
  const inserts = appends || ('born' in ownership && ownership.born === app);
  return inserts ? ['select', 'insert'] : ['select'];
}
