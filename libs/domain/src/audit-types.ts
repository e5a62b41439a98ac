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
} as const satisfies Record<string, string>;

export type AuditType = keyof typeof AUDIT_TYPES;
