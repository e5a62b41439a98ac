export { DeploymentsModule } from './deployments.module.js';
