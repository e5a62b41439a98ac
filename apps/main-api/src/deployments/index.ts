export { DeploymentsModule, DeploymentsWorkModule } from './deployments.module.js';
