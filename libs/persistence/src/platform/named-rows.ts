/** Rows with names: the place in which a name belongs to one row, and the rows that still use their name. */
export interface NamedRows {
  readonly kind: string;
  readonly table: string;
  /** The expression of the place. */
  readonly place: string;
  readonly where: string;
  /** False: neighbours may have the same name. */
  readonly isUnique: boolean;
}

const unique = (kind: string, table: string, place: string, where = 'true'): NamedRows => ({
  ...{ kind, table, place, where },
  isUnique: true,
});

/** All tables whose rows people name. */
export const NAMED_ROWS: readonly NamedRows[] = [
  unique('division', 'divisions', 'tenant_id', 'deleted_at is null'),
  unique('environment', 'environments', 'division_id', 'deleted_at is null'),
  unique('deployment', 'deployments', 'environment_id', 'deletion_requested_at is null'),
  unique('role', 'roles', 'tenant_id', `kind <> 'api_key'`),
  unique('cloud account', 'cloud_accounts', 'tenant_id'),
  unique('channel', 'notification_channels', `tenant_id || '/' || coalesce(division_id, 0)`),
  unique('access rule', 'access_rules', 'deployment_id'),
  unique('private connection', 'private_connections', `deployment_id || '/' || kind`, 'deleted_at is null'),
  { kind: 'user', table: 'users', place: '0', where: 'true', isUnique: false },
  { kind: 'tenant', table: 'tenants', place: '0', where: 'true', isUnique: false },
];
