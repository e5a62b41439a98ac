import type { PlanTerm } from '@libs/http';

/** The terms of the plan that every creation of a deployment must meet. */
export const CREATION_TERMS: readonly PlanTerm[] = [
  'concurrent_deployments_limit',
  'nodes_per_deployment_limit',
  'deployment_tiers',
];
