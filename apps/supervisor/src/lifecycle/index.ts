export { DeploymentResources } from './deployment-resources.js';
export { LifecycleModule } from './lifecycle.module.js';
