import type { PlanTerm } from '@libs/http';

/** What of the plan every creation of a deployment is held to. */
export const CREATION_TERMS: readonly PlanTerm[] = [
  'concurrent_deployments_limit',
  'nodes_per_deployment_limit',
  'deployment_tiers',
];
