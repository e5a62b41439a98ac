/** Audit event slugs with their human-readable names (spec, "Audit entry" and "Events" 6). */
export const AUDIT_TYPES = {
  division_created: 'Division created',
  division_updated: 'Division changed',
  division_deleted: 'Division deleted',
  environment_created: 'Environment created',
  environment_updated: 'Environment changed',
  environment_deleted: 'Environment deleted',
  deployment_created: 'Deployment created',
  deployment_initialized: 'Deployment ready',
  deployment_deleted: 'Deployment deleted',
  operation_failed: 'Operation failed',
  operation_retried: 'Step of an operation tried again by the operator',
  operation_step_skipped: 'Step of an operation passed over by the operator',
  operation_cancelled: 'Operation cancelled by the operator',
  node_drained: 'Broker of a node stopped by the operator',
  node_resumed: 'Broker of a node let run again by the operator',
  tenant_plan_changed: 'Plan changed by the operator',
  api_key_created: 'API key created',
  api_key_deleted: 'API key deleted',
} as const satisfies Record<string, string>;

export type AuditType = keyof typeof AUDIT_TYPES;
