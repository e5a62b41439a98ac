import { FEATURE_FLAGS, LIMITS, type FeatureFlag, type LimitName } from '@libs/domain';
import type { z } from 'zod';
import type { catalogSchema } from '../catalog.schema.js';

type Plans = z.input<typeof catalogSchema>['plans'];
type TierLimits = Plans['basic']['deployment_tiers'];

/** basic, pro, enterprise. */
const LIMIT_ROWS: Record<LimitName, [number, number, number]> = {
  concurrent_deployments_limit: [2, 10, 100],
  members_limit: [3, 10, 1000],
  pending_invitations_limit: [3, 10, 100],
  invitations_limit: [10, 100, 1000],
  divisions_limit: [1, 3, 100],
  environments_limit: [2, 10, 100],
  environments_per_division_limit: [2, 5, 50],
  roles_limit: [2, 10, 100],
  divisions_per_role_limit: [1, 3, 100],
  api_keys_limit: [3, 10, 100],
  api_key_allowed_ips_limit: [5, 20, 100],
  cloud_accounts_limit: [0, 5, 50],
  deployment_access_rules_limit: [3, 10, 100],
  deployment_configs_limit: [10, 50, 500],
  deployment_backups_limit: [0, 3, 5],
  backup_retention_days: [0, 30, 365],
  backup_regions_limit: [0, 1, 3],
  deployment_snapshots_limit: [3, 5, 20],
  snapshot_retention_days: [7, 14, 90],
  private_connections_limit: [0, 3, 10],
  private_endpoints_limit: [0, 1, 5],
  notification_channels_limit: [2, 5, 50],
  notification_subscriptions_limit: [5, 20, 500],
  custom_domains_limit: [0, 1, 10],
  nodes_per_deployment_limit: [3, 5, 15],
  audit_retention_days: [7, 90, 365],
};

/** basic, pro, enterprise. */
const NODE_LOG_MIB_PER_DAY = [256, 1024, 4096] as const;

const EVERY_PLAN: FeatureFlag[] = ['cluster_enabled', 'advanced_notification_channels_enabled'];
const FROM_PRO: FeatureFlag[] = [
  ...EVERY_PLAN,
  'byoc_enabled',
  'private_networking_enabled',
  'multi_az_enabled',
  'backup_enabled',
  'advanced_connectors_enabled',
];

const tierLimits = (limits: Partial<Record<TierLimits[number]['tier'], number>>): TierLimits =>
  Object.entries(limits).map(([tier, limit]) => ({ tier: tier as TierLimits[number]['tier'], limit }));

const plan = (name: string, column: 0 | 1 | 2, flags: readonly FeatureFlag[], tiers: TierLimits): Plans['basic'] => ({
  name,
  limits: Object.fromEntries(LIMITS.map((limit) => [limit, LIMIT_ROWS[limit][column]])) as Record<LimitName, number>,
  flags: Object.fromEntries(FEATURE_FLAGS.map((flag) => [flag, flags.includes(flag)])) as Record<FeatureFlag, boolean>,
  deployment_tiers: tiers,
  node_log_mib_per_day: NODE_LOG_MIB_PER_DAY[column],
});

export const PLAN_ROWS: Plans = {
  basic: plan('Basic', 0, EVERY_PLAN, tierLimits({ free: 1, small: 1, medium: 1 })),
  pro: plan('Pro', 1, FROM_PRO, tierLimits({ free: 1, small: 3, medium: 3, large: 2, xlarge: 1 })),
  enterprise: plan(
    'Enterprise',
    2,
    FEATURE_FLAGS,
    tierLimits({
      free: 1,
      small: 50,
      medium: 50,
      large: 20,
      xlarge: 20,
      '2xlarge': 10,
      '4xlarge': 10,
      '8xlarge': 5,
      '16xlarge': 5,
    }),
  ),
};
