export { DeploymentResources } from './deployment-resources.js';
export { LifecycleModule } from './lifecycle.module.js';
export { PrivateConnectionResources } from './private-connections/private-connection-resources.js';
export {
  consumersOf,
  GONE,
  isSettled,
  sightingOf,
  type PrivateResource,
} from './private-connections/private-connection-sighting.js';
