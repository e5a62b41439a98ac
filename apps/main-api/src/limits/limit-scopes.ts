import type { LimitName } from '@libs/domain';

export const LIMIT_SCOPES = ['tenant', 'division', 'deployment', 'role', 'api_key'] as const;
export type LimitScope = (typeof LIMIT_SCOPES)[number];

/** What each limit applies to, if it does not apply to the whole tenant. */
const OTHER_SCOPES: Partial<Record<LimitName, LimitScope>> = {
  deployment_access_rules_limit: 'deployment',
  deployment_configs_limit: 'deployment',
  deployment_backups_limit: 'deployment',
  deployment_snapshots_limit: 'deployment',
  nodes_per_deployment_limit: 'deployment',
  api_key_allowed_ips_limit: 'api_key',
  divisions_per_role_limit: 'role',
  environments_per_division_limit: 'division',
};

export const scopeOfLimit = (name: LimitName): LimitScope => OTHER_SCOPES[name] ?? 'tenant';
