export { DeploymentsModule } from './deployments.module.js';
export { DeploymentsWorkModule } from './deployments-work.module.js';
