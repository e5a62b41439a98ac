/** Integer limits of a plan: each is a field of `features` (C-10.2; values in the catalog file, C-10.1). */
export const LIMITS = [
  'invitations_limit',
  'members_limit',
  'roles_limit',
  'divisions_limit',
  'environments_limit',
  'deployment_access_rules_limit',
  'deployment_configs_limit',
  'deployment_backups_limit',
  'deployment_snapshots_limit',
  'private_connections_limit',
  'private_endpoints_limit',
  'audit_retention_days',
  'api_keys_limit',
  'cloud_accounts_limit',
  'notification_channels_limit',
  'notification_subscriptions_limit',
  'custom_domains_limit',
  'backup_regions_limit',
  'nodes_per_deployment_limit',
  'backup_retention_days',
  'snapshot_retention_days',
  'pending_invitations_limit',
  'api_key_allowed_ips_limit',
  'divisions_per_role_limit',
  'environments_per_division_limit',
  'concurrent_deployments_limit',
] as const;
export type LimitName = (typeof LIMITS)[number];

/** Flags of a plan: each is a field of `features`. */
export const FEATURE_FLAGS = [
  'byoc_enabled',
  'cluster_enabled',
  'on_premise_enabled',
  'private_networking_enabled',
  'multi_az_enabled',
  'dedicated_enabled',
  'backup_enabled',
  'cross_region_dr_enabled',
  'audit_export_enabled',
  'advanced_connectors_enabled',
  'customer_managed_keys_enabled',
  'advanced_notification_channels_enabled',
] as const;
export type FeatureFlag = (typeof FEATURE_FLAGS)[number];

export const PLANS = ['basic', 'pro', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

/**
 * Retention classes of partitioned tables, in days: the retentions of the plans. So a whole partition expires at once
 * and can be dropped.
 */
export const RETENTION_CLASSES = [7, 90, 365] as const;
export type RetentionClass = (typeof RETENTION_CLASSES)[number];
