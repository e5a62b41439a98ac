export { DeploymentNames } from './deployment-names.js';
export { DeploymentResources } from './deployment-resources.js';
export { PEERED_TIERS } from './network/network-layout.js';
export { LifecycleModule } from './lifecycle.module.js';
export { PrivateConnectionReports } from './private-connections/private-connection-reports.js';
export { PrivateConnectionResources, type Placed } from './private-connections/private-connection-resources.js';
export {
  consumersOf,
  isSettled,
  observationOf,
  type PrivateResource,
} from './private-connections/private-connection-observation.js';
export { placeOf } from './resource-names.js';
