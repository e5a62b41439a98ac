/**
 * Status of a deployment at the Supervisor (C-12.21): the steps of provisioning, then `initialized` and the later
 * states. Each row lists the possible next states. Every state allows `deleting`.
 */
export const DEPLOYMENT_STATES = {
  creating: ['initializing', 'failed', 'deleting'],
  initializing: ['creating_subnet', 'rolling_back', 'failed', 'deleting'],
  creating_subnet: ['securing_network', 'rolling_back', 'failed', 'deleting'],
  securing_network: ['deploying_nodes', 'rolling_back', 'failed', 'deleting'],
  deploying_nodes: ['assigning_public_ip', 'rolling_back', 'failed', 'deleting'],
  assigning_public_ip: ['creating_load_balancer', 'rolling_back', 'failed', 'deleting'],
  creating_load_balancer: ['configuring_load_balancer', 'rolling_back', 'failed', 'deleting'],
  configuring_load_balancer: ['configuring_dns', 'rolling_back', 'failed', 'deleting'],
  configuring_dns: ['configuring_certificates', 'rolling_back', 'failed', 'deleting'],
  configuring_certificates: ['waiting_for_nodes', 'rolling_back', 'failed', 'deleting'],
  waiting_for_nodes: ['restoring', 'bootstrapping_agent', 'rolling_back', 'failed', 'deleting'],
  bootstrapping_agent: ['initialized', 'rolling_back', 'failed', 'deleting'],
  initialized: ['upgrading', 'restoring', 'stopped', 'degraded', 'deleting'],
  upgrading: ['initialized', 'rolling_back', 'failed', 'deleting'],
  restoring: ['initialized', 'bootstrapping_agent', 'rolling_back', 'failed', 'deleting'],
  stopped: ['initialized', 'restoring', 'degraded', 'deleting'],
  degraded: ['initialized', 'upgrading', 'restoring', 'stopped', 'deleting'],
  rolling_back: ['initialized', 'failed', 'deleting'],
  failed: ['deleting'],
  deleting: [],
} as const satisfies Record<string, readonly string[]>;

export type DeploymentStatus = keyof typeof DEPLOYMENT_STATES;

/** Returns the states that allow a change to `to`. Every compare-and-set uses them as its guard. */
export const statesBefore = (to: DeploymentStatus): DeploymentStatus[] =>
  (Object.keys(DEPLOYMENT_STATES) as DeploymentStatus[]).filter((from) =>
    (DEPLOYMENT_STATES[from] as readonly string[]).includes(to),
  );

export const NODE_STATUSES = [
  'pending',
  'starting',
  'running',
  'stopped',
  'unreachable',
  'failed',
  'deleting',
] as const;
export type NodeStatus = (typeof NODE_STATUSES)[number];
