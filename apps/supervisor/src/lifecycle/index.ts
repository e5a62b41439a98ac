export { CloudProviders } from './cloud-providers.js';
export { DeploymentResources } from './deployment-resources.js';
export { LifecycleModule } from './lifecycle.module.js';
